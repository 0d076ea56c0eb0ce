/** Tests of the check of reserved attachments: which status has them, and the release of those that no status has. */
import { type AccountRecord, accountRecords } from '@murmuration/contracts/accounts'
import type { ScheduledStatus } from '@murmuration/contracts/entities'
import { type AnyOperation, fail } from '@murmuration/contracts/kit'
import { putRemoteAttachments, releaseAttachments } from '@murmuration/contracts/media'
import { sql, type Tx } from '@murmuration/db'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { checkReserved } from '../src/attachment/ticks.js'
import type { Context } from '../src/context.js'
import { rowOf, type StatusRow } from '../src/core/status/store.js'
import { eraseDeleted } from '../src/purge/ticks.js'
import { editRemote } from '../src/remote/edit.js'
import { edit } from '../src/status/edit.operation.js'
import type { FakeAccount, File } from './fakes/data.js'
import { type Harness, startHarness, statuses } from './harness.js'
import { fetchedNote } from './remote-status.js'

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
  harness.fakes.reservedFiles = []
})

const db = () => harness.cluster.db('statuses')
/** Id for which no status is stored. */
const unused = () => harness.fakes.nextId()
/** Runs the tick for files that were reserved an hour ago for the ids that they have. */
const check = (...files: File[]) => {
  harness.fakes.reservedFiles = files.map(({ id, owner, status }) => ({
    id,
    owner,
    status: String(status),
    since: new Date().toISOString(),
  }))
  return checkReserved.run(ctx)
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

test('one run checks more attachments than one page has', async () => {
  const lost = Array.from({ length: 900 }, () => harness.fakes.file(ann, { status: unused() }))
  await check(...lost)
  expect(lost.filter((file) => file.status !== null)).toEqual([])
})

test('an attachment that a deleted scheduled status reserved is released, and one that waits is checked again', async () => {
  const { waiting, file } = await wait()
  await check(file)
  expect(file.status).toBe(waiting.id)
  expect(harness.fakes.reservedFiles).toMatchObject([{ id: file.id }])
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
  expect(harness.fakes.reservedFiles).toHaveLength(1)
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

test('an attachment is not moved to a status of a later day', async () => {
  const file = harness.fakes.file(ann)
  const { id } = await harness.post(ann, { status: 'published days later', media_ids: [file.id] })
  file.status = String(BigInt(id) - ((2n * 86_400_000n) << 16n))
  await check(file)
  expect(file.status).toBeNull()
})

type Call = (operation: AnyOperation, ...rest: unknown[]) => Promise<unknown>
/** Edits a status with other calls of the service. */
const editWith = (call: Call, id: string, files: readonly File[], on: Context = ctx) =>
  edit.run(
    Object.assign(Object.create(on), { call }),
    { id: ann.id } as never,
    statuses.editStatus.input.parse({
      id,
      status: `with ${files.length} files`,
      media_ids: files.map((file) => file.id),
    }),
    { locale: 'en', caller: null, idempotencyKey: null } as never,
  )
const callNow: Call = (...given) => (ctx.call as unknown as Call)(...given)

test('S-013 an attachment that an edit removed stays while the history shows it, and only its status can have it', async () => {
  const file = harness.fakes.file(ann)
  const { id } = await harness.post(ann, { status: 'loses its file', media_ids: [file.id] })
  const failed = harness.fakes.file(ann, { status: id })
  await editWith(callNow, id, [])
  await editWith(callNow, id, [])
  await harness.cluster.waitForIdle()
  await check(file, failed)
  expect([file.status, failed.status]).toEqual([id, null])
  await expect(harness.post(ann, { status: 'another', media_ids: [file.id] })).rejects.toMatchObject({ status: 422 })
  await editWith(callNow, id, [file])
  await editWith(callNow, id, [])
  await check(file)
  const versions = await harness.cluster.call(statuses.showHistory, { id }, harness.as(ann))
  expect(versions.map((one) => one.media_attachments.length)).toEqual([1, 0, 1, 0])
})

test('an attachment is released when the history no longer shows the version that has it', async () => {
  const file = harness.fakes.file(ann)
  const { id } = await harness.post(ann, { status: 'edited often', media_ids: [file.id] })
  await editWith(callNow, id, [])
  await db().run(sql`insert into status_edits (id, status_id, created_at, text, html, spoiler_text, sensitive)
    select e.id + n, e.status_id, e.created_at, n::text, n::text, '', false
    from (select * from status_edits where status_id = ${id} order by id desc limit 1) e, generate_series(1, 198) n`)
  await harness.cluster.waitForIdle()
  await check(file)
  expect(file.status).toBe(id)
  await harness.cluster.call(statuses.editStatus, { id, status: 'once more' }, harness.as(ann))
  await harness.cluster.waitForIdle()
  await checkReserved.run(ctx)
  expect(file.status).toBeNull()
})

test('attachments of a version of a remote status that a newer one replaced before it was stored are released', async () => {
  const far = harness.fakes.fakeAccount('far', { domain: 'far.example' })
  const attachment = { media_type: 'image/png', description: null, blurhash: null, width: 1, height: 1, focus: null }
  const versionAt = (secondsAgo: number | null, name: string) => {
    const {
      authorUri: _author,
      mentionUris: _mentions,
      ...rest
    } = fetchedNote(far, 'https://far.example/notes/1', {
      html: `<p>${name}</p>`,
      edited_at: secondsAgo === null ? null : new Date(Date.now() - secondsAgo * 1_000).toISOString(),
      attachments: [{ ...attachment, url: `https://far.example/${name}.png` }],
    })
    return { ...rest, author: far.id, mentions: [], push: true }
  }
  const put = (status: ReturnType<typeof versionAt>) => harness.cluster.call(statuses.putRemoteStatus, { status })
  const { id } = await put(versionAt(null, 'first'))
  const [row, { records }] = await Promise.all([
    rowOf(ctx.db, id),
    harness.cluster.call(accountRecords, { ids: [far.id] }),
  ])
  const call: Call = async (operation, ...rest) => {
    if (operation === putRemoteAttachments) await put(versionAt(10, 'third'))
    return callNow(operation, ...rest)
  }
  const on = Object.assign(Object.create(ctx), { call }) as Context
  const late = editRemote(on, versionAt(20, 'second'), row as StatusRow, records[0] as AccountRecord)
  expect(await late).toMatchObject({ outcome: 'unchanged' })
  await checkReserved.run(ctx)
  const files = [...harness.fakes.files.values()].filter((file) => file.owner === far.id)
  const statusOf = (name: string) => files.find((file) => file.remote_url?.includes(name))?.status
  expect(['first', 'second', 'third'].map(statusOf)).toEqual([id, null, id])
})

test('attachments of earlier versions are released with their status, also if its deletion did not reach media', async () => {
  const [one, two] = [harness.fakes.file(ann), harness.fakes.file(ann)]
  const [first, second] = [
    await harness.post(ann, { status: 'deleted by its author', media_ids: [one.id] }),
    await harness.post(ann, { status: 'deleted with its account', media_ids: [two.id] }),
  ]
  await editWith(callNow, first.id, [])
  await editWith(callNow, second.id, [])
  await harness.cluster.call(statuses.deleteStatus, { id: first.id }, harness.as(ann))
  expect([one.status, two.status]).toEqual([null, second.id])
  await db().run(sql`update statuses set deleted_at = now() - interval '31 days' where id = ${second.id}`)
  await eraseDeleted.run(ctx)
  await harness.cluster.waitForIdle()
  expect(two.status).toBeNull()
})

test('an attachment that an edit removed and the next edit added again stays, also if a call of the first is late', async () => {
  const file = harness.fakes.file(ann)
  const { id } = await harness.post(ann, { status: 'gets its file back', media_ids: [file.id] })
  const late: (() => Promise<unknown>)[] = []
  const slow: Call = (operation, ...rest) => {
    if (operation !== releaseAttachments) return callNow(operation, ...rest)
    late.push(() => callNow(operation, ...rest))
    return Promise.reject(fail('unavailable', 'No response in time'))
  }
  await editWith(slow, id, [])
  await editWith(callNow, id, [file])
  for (const run of late) await run()
  await harness.cluster.waitForIdle()
  expect(harness.fakes.reservedFiles).toMatchObject([{ id: file.id, status: id }])
  await checkReserved.run(ctx)
  expect(file.status).toBe(id)
})

test('an edit calls no other service in its transaction', async () => {
  const [one, two] = [harness.fakes.file(ann), harness.fakes.file(ann)]
  const { id } = await harness.post(ann, { status: 'replaces its file', media_ids: [one.id] })
  let open = 0
  const within = async (work: (tx: Tx) => Promise<unknown>, tx: Tx) => {
    open++
    return work(tx).finally(() => open--)
  }
  const watched: Context = Object.assign(Object.create(ctx), {
    db: { ...ctx.db, tx: (work: (tx: Tx) => Promise<unknown>) => ctx.db.tx((tx) => within(work, tx)) },
  })
  const calls: { name: string; open: number }[] = []
  const call: Call = (operation, ...rest) => {
    calls.push({ name: operation.name, open })
    return callNow(operation, ...rest)
  }
  await editWith(call, id, [two], watched)
  expect(two.status).toBe(id)
  expect(calls.map((made) => made.name)).toContain('media.attachment.take')
  expect(calls.filter((made) => made.open > 0)).toEqual([])
})
