/** Tests of the check of reserved attachments: which status has them, and the release of those that no status has. */
import type { ScheduledStatus } from '@murmuration/contracts/entities'
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { checkHeld } from '../src/attachment/ticks.js'
import type { Context } from '../src/context.js'
import type { FakeAccount, File } from './fakes/data.js'
import { type Harness, startHarness, statuses } from './harness.js'

let harness: Harness
let ctx: Context
let ann: FakeAccount
beforeAll(async () => {
  harness = await startHarness()
  ctx = harness.cluster.host.running.find((one) => one.service === 'statuses')?.ctx as unknown as Context
  ann = harness.fakes.fakeAccount('ann')
})
afterAll(() => harness.stop())
beforeEach(() => {
  harness.fakes.heldFiles = []
})

const db = () => harness.cluster.db('statuses')
/** Id for which no status is stored. */
const unused = () => harness.fakes.nextId()
/** Runs the tick for files that were reserved an hour ago for the ids that they have. */
const check = (...files: File[]) => {
  harness.fakes.heldFiles = files.map(({ id, owner, status }) => ({
    id,
    owner,
    status: String(status),
    since: new Date().toISOString(),
  }))
  return checkHeld.run(ctx)
}
const wait = async (): Promise<{ waiting: ScheduledStatus; file: File }> => {
  const file = harness.fakes.file(ann)
  const scheduled_at = new Date(Date.now() + 3_600_000).toISOString()
  const input = { status: 'later', media_ids: [file.id], scheduled_at }
  return {
    file,
    waiting: (await harness.cluster.call(statuses.createStatus, input as never, harness.as(ann))) as ScheduledStatus,
  }
}

test('the attachments of stored statuses stay, and those of ids without a status are released', async () => {
  const [kept, lost] = [harness.fakes.file(ann), harness.fakes.file(ann, { status: unused() })]
  const { id } = await harness.post(ann, { status: 'with a file', media_ids: [kept.id] })
  // A failed edit reserved it for a status that does not have it.
  const edited = harness.fakes.file(ann, { status: id })
  await check(kept, lost, edited)
  expect([kept, lost, edited].map((file) => file.status)).toEqual([id, null, null])
})

test('an attachment that a deleted scheduled status reserved is released, and one that waits is checked again', async () => {
  const { waiting, file } = await wait()
  await check(file)
  expect(file.status).toBe(waiting.id)
  expect(harness.fakes.heldFiles).toMatchObject([{ id: file.id }])
  await harness.cluster.call(statuses.removeScheduled, { id: waiting.id }, harness.as(ann))
  // The call that reserved it was late.
  file.status = unused()
  await check(file)
  expect(file.status).toBeNull()
})

test('an attachment of an attempt stays while the scheduled status is published, and is given back after it failed', async () => {
  const { waiting, file } = await wait()
  const attempt = unused()
  file.status = attempt
  await db().run(sql`update scheduled_statuses set queued_at = now(), status_id = ${attempt} where id = ${waiting.id}`)
  await check(file)
  expect(file.status).toBe(attempt)
  expect(harness.fakes.heldFiles).toHaveLength(1)
  await db().run(sql`update scheduled_statuses set failed_at = now() where id = ${waiting.id}`)
  await check(file)
  expect(file.status).toBe(waiting.id)
})

test('an attachment of a later attempt is moved to the status that an earlier one published', async () => {
  const file = harness.fakes.file(ann)
  const { id } = await harness.post(ann, { status: 'published before', media_ids: [file.id] })
  file.status = unused()
  await check(file)
  expect(file.status).toBe(id)
  const others = harness.fakes.file(harness.fakes.fakeAccount('bob'), { status: unused() })
  await check(others)
  expect(others.status).toBeNull()
})
