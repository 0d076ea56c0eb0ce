/** Activities of one job: a failing one is retried alone, and none is processed twice. */
import type { RemoteStatus } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { makeActivity, PUBLIC, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Context, createContext } from '../src/context.js'
import { storeActivities } from '../src/inbox/inbox.store.js'
import { process as work } from '../src/inbox/process.job.js'
import { type Harness, startHarness } from './harness.js'
import { inboxEntry } from './inbox-entry.js'

let harness: Harness
let bob: Awaited<ReturnType<Harness['createAccount']>>
let rita: RemoteActor
let ctx: Context
beforeAll(async () => {
  harness = await startHarness()
  const base = harness.host.running.find((one) => one.service === 'federation')?.ctx
  ctx = await createContext(base as Parameters<typeof createContext>[0])
  bob = await harness.createAccount('bob')
  rita = await (await harness.server()).addActor('rita')
})
afterAll(() => harness.stop())

const db = () => harness.db('federation')
const uriOf = (name: string) => `${rita.id}/statuses/${name}`

/** Stores activities without jobs. Returns their ids. */
const keep = async (...names: string[]): Promise<string[]> => {
  const items = names.map((name) => {
    const object = {
      id: uriOf(name),
      type: 'Note',
      attributedTo: rita.id,
      content: `<p>${name}</p>`,
      to: [PUBLIC, bob.uri],
    }
    const tag = [{ type: 'Mention', href: bob.uri, name: '@bob' }]
    const activity = { ...makeActivity(rita, 'Create', { ...object, tag }), to: [PUBLIC, bob.uri] }
    const id = `${uriOf(name)}/activity`
    const body = JSON.stringify({ ...activity, id })
    return {
      id: ctx.ids.next(),
      origin: new URL(rita.id).origin,
      activityId: id,
      type: 'Create',
      actor: rita.id,
      ownerId: null,
      body,
    }
  })
  return (await db().tx((tx) => storeActivities(tx, items))).map(String)
}
/** A context in which one status cannot be stored. */
const refusing = (name: string): Context => {
  const upsertStatus = (status: RemoteStatus) =>
    status.uri === uriOf(name) ? Promise.reject(new Error('poison')) : ctx.upsertStatus(status)
  return { ...ctx, upsertStatus }
}
const outcomes = (ids: readonly string[]) => Promise.all(ids.map(async (id) => (await inboxEntry(db(), id))?.outcome))
const jobs = () =>
  db().rows<{ data: string }>(sql`select data from outbox where subject = ${'job.federation.process'} order by id`)

test('a failing activity is queued alone, and the others of its job are done', async () => {
  const ids = await keep('one', 'bad', 'three')
  await work.run(refusing('bad'), { ids }, { id: '1', tries: 1 })
  const queued = (await jobs()).map((row) => JSON.parse(row.data).ids)
  expect(queued).toEqual([[ids[1]]])
  // The failure is over, so the job with the single activity succeeds.
  await harness.waitForIdle()
  expect(await outcomes(ids)).toEqual(['done', 'done', 'done'])
})

test('a repeated job does nothing, and an activity that keeps failing becomes a dead letter', async () => {
  const ids = await keep('four', 'worse')
  const before = (await jobs()).length
  await expect(work.run(refusing('worse'), { ids: ids.slice(1) }, { id: '2', tries: 99 })).rejects.toThrow('poison')
  await work.run(ctx, { ids }, { id: '3', tries: 1 })
  await work.run(refusing('four'), { ids }, { id: '3', tries: 2 })
  expect(await outcomes(ids)).toEqual(['done', 'done'])
  expect(await jobs()).toHaveLength(before)
  const stored = await harness
    .db('statuses')
    .rows(sql`select 1 from post_uris where uri = any(${['one', 'bad', 'three', 'four', 'worse'].map(uriOf)}::text[])`)
  expect(stored).toHaveLength(5)
})

test('a job of the previous release, with one activity, is processed', async () => {
  const [id = ''] = await keep('old')
  await work.run(ctx, { ids: [], id }, { id: '4', tries: 1 })
  expect(await outcomes([id])).toEqual(['done'])
})
