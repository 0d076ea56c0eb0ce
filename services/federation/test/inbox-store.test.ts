/** The inbox on a real database: kept once, retaken when it had no effect, forgotten in time, and every question has its index. */
import { sql } from '@murmuration/db'
import { startCluster } from '@murmuration/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { app } from '../src/main.js'
import {
  activityKey,
  closeEntries,
  forgetActivities,
  type Incoming,
  inboxEntry,
  keepActivities,
  markUndone,
  standingOf,
  wasUndone,
} from '../src/store/inbox.js'

let cluster: Awaited<ReturnType<typeof startCluster>>
let counter = 0
beforeAll(async () => {
  cluster = await startCluster({ apps: [app] })
})
afterAll(() => cluster.stop())
const db = () => cluster.db('federation')
beforeEach(async () => {
  await db().run(sql`delete from inbox_activities`)
  await db().run(sql`delete from undone_activities`)
})

const incoming = (more: Partial<Incoming> = {}): Incoming => ({
  id: String(++counter),
  origin: 'https://a.example',
  activityId: 'https://a.example/1',
  type: 'Like',
  actor: 'https://a.example/users/a',
  ownerId: null,
  body: '{}',
  ...more,
})
const keep = async (more: Partial<Incoming> = {}) =>
  (await db().tx((tx) => keepActivities(tx, [incoming(more)])))[0] ?? null
const close = async (id: string, outcome: 'done' | 'ignored' | 'refused') =>
  (await closeEntries(db(), [{ id, outcome, reason: null }]))[0]

test('once for each origin and id; without an id each time', async () => {
  expect(await keep()).not.toBe(null)
  expect(await keep()).toBe(null)
  expect(await keep({ origin: 'https://b.example' })).not.toBe(null)
  expect(await keep({ activityId: null })).not.toBe(null)
  expect(await keep({ activityId: null })).not.toBe(null)
})

test('many together, with equal ones among them', async () => {
  const batch = [
    incoming(),
    incoming(),
    incoming({ activityId: null }),
    incoming({ activityId: 'https://a.example/2' }),
  ]
  const kept = await db().tx((tx) => keepActivities(tx, batch))
  expect(kept).toEqual([batch[0]?.id, null, batch[2]?.id, batch[3]?.id])
  const closings = kept.filter((id) => id !== null).map((id) => ({ id, outcome: 'done' as const, reason: null }))
  expect(await closeEntries(db(), closings)).toEqual([true, true, true])
  expect(await closeEntries(db(), closings)).toEqual([false, false, false])
})

test('two at once: one wins', async () => {
  const kept = await Promise.all(Array.from({ length: 10 }, () => keep()))
  expect(kept.filter((it) => it !== null).length).toBe(1)
})

test.each([
  ['done', false],
  ['ignored', true],
  ['refused', true],
] as const)('what was %s may come again: %s', async (outcome, again) => {
  const id = (await keep()) as string
  expect(await close(id, outcome)).toBe(true)
  expect(await close(id, outcome)).toBe(false)
  expect(await inboxEntry(db(), id)).toMatchObject({ outcome, body: null })
  expect(await keep({ body: '{"again":true}' })).toBe(again ? id : null)
  expect(await inboxEntry(db(), id)).toMatchObject(again ? { outcome: null, body: '{"again":true}' } : { outcome })
})

test('another inbox owner is another delivery', async () => {
  const id = await keep({ ownerId: '1' })
  expect(await keep({ ownerId: '1' })).toBe(null)
  expect(await keep({ ownerId: '2' })).toBe(id)
})

test('a status is kept for each inbox owner, also in one batch and before any of them is worked on', async () => {
  const batch = ['1', '2', '1'].map((ownerId) => incoming({ type: 'Create', ownerId }))
  const kept = await db().tx((tx) => keepActivities(tx, batch))
  expect(kept).toEqual([batch[0]?.id, batch[1]?.id, null])
  expect(await keep({ type: 'Create', ownerId: '2' })).toBe(null)
})

test('an undoing counts for its own actor only', async () => {
  const key = activityKey('https://a.example', 'https://a.example/1')
  await db().tx((tx) => markUndone(tx, key, 'https://a.example/users/a'))
  expect(await wasUndone(db(), key, 'https://a.example/users/a')).toBe(true)
  expect(await wasUndone(db(), key, 'https://a.example/users/b')).toBe(false)
  expect(await standingOf(db(), key, 'https://a.example/users/a')).toBe('absent')
  const id = (await keep()) as string
  expect(await standingOf(db(), key, 'https://a.example/users/a')).toBe('waiting')
  await close(id, 'done')
  expect(await standingOf(db(), key, 'https://a.example/users/a')).toBe('closed')
})

test('old rows go, a bounded number at a time', async () => {
  for (let n = 0; n < 5; n++) await keep({ activityId: `https://a.example/${n}` })
  await db().run(
    sql`update inbox_activities set received_at = now() - interval '8 days' where activity_id <> 'https://a.example/0'`,
  )
  expect(await forgetActivities(db(), 3)).toBe(3)
  expect(await forgetActivities(db(), 3)).toBe(1)
  expect(await db().rows(sql`select activity_id from inbox_activities`)).toEqual([
    { activity_id: 'https://a.example/0' },
  ])
})

const plan = async (query: ReturnType<typeof sql>): Promise<string> =>
  db().tx(async (tx) => {
    await tx.run(sql`set local enable_seqscan = off`)
    const rows = await tx.rows<{ 'QUERY PLAN': string }>(query)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })

test('every question has its index', async () => {
  const key = activityKey('https://a.example', 'https://a.example/1')
  expect(await plan(sql`explain select id from inbox_activities where key = ${key} and actor = ${'x'}`)).toContain(
    'inbox_activities_key',
  )
  expect(await plan(sql`explain select body from inbox_activities where id = ${1}`)).toContain('inbox_activities_pkey')
  expect(
    await plan(
      sql`explain select id from inbox_activities where received_at < now() - interval '7 days' order by received_at limit 10`,
    ),
  ).toContain('inbox_activities_received_at')
  expect(await plan(sql`explain select 1 from undone_activities where key = ${key} and actor = ${'x'}`)).toContain(
    'undone_activities_pkey',
  )
  expect(await plan(sql`explain select 1 from peers where host = ${'a.example'}`)).toContain('peers_pkey')
  expect(await plan(sql`explain select 1 from gone_actors where account_id = ${1}`)).toContain('gone_actors_pkey')
})
