/**
 * Deletion of old statuses by cleanup policies: which statuses, how many at once, and only of accounts with a policy.
 */
import type { Status } from '@murmuration/contracts/entities'
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NO_CLEANUP } from '../src/cleanup/rules.js'
import { cleanUpDue } from '../src/cleanup/ticks.js'
import type { FakeAccount } from './fakes/data.js'
import { accounts, type Harness, startHarness, statuses } from './harness.js'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.stop())

const call = ((...given) => harness.cluster.call(...given)) as Harness['cluster']['call']
const DAY = 86_400_000
const here = () => {
  const found = harness.cluster.host.running.find((one) => one.service === 'statuses')
  if (!found) throw new Error('statuses does not run')
  return found.ctx
}
let days = 0
/** Moves the clock of all services forward by days. It never moves back, because ids only grow. */
const pass = (more: number) => {
  days += more
  for (const { service, ctx } of harness.cluster.host.running) if (service === 'statuses') ctx.clock.moveTo(days * DAY)
}
let fakeAccounts = 0
const fakeAccount = () => harness.fakes.fakeAccount(`person${fakeAccounts++}`)
const want = (who: FakeAccount, more: Partial<statuses.Cleanup> = {}) =>
  call(statuses.changeCleanup, { account: who.id, ...NO_CLEANUP, enabled: true, age: 7, ...more })
const go = async () => {
  await cleanUpDue.run(here() as never)
  await harness.cluster.waitForIdle()
}
const left = async (who: FakeAccount) =>
  (
    await harness.cluster.db('statuses').rows<{ id: string }>(sql`select id from statuses
      where author_id = ${who.id} and deleted_at is null order by id`)
  ).map((row) => row.id)

test('only statuses of accounts with a policy are deleted, and only old ones', async () => {
  const [ann, bob] = [fakeAccount(), fakeAccount()]
  expect(await call(statuses.showCleanup, { account: ann.id })).toEqual({ ...NO_CLEANUP, enabled: false })
  const old = await harness.post(ann, 'old')
  const others = await harness.post(bob, 'mine')
  const boost = (await call(statuses.addReblog, { id: others.id }, harness.as(ann))) as Status
  await want(ann)
  await want(bob, { enabled: false })
  expect(await call(statuses.showCleanup, { account: ann.id })).toEqual({ ...NO_CLEANUP, enabled: true, age: 7 })
  pass(6.9)
  await go()
  expect(await left(ann)).toEqual([old.id, boost.id])
  pass(0.4)
  await go()
  expect([await left(ann), await left(bob)]).toEqual([[], [others.id]])
  await expect(call(statuses.showStatus, { id: old.id }, harness.as(bob))).rejects.toMatchObject({ status: 404 })
  const announced = await harness.cluster.db('statuses').rows(sql`select data::jsonb ->> 'id' as id from outbox
    where subject = 'evt.statuses.status.deleted' and data::jsonb ->> 'author' = ${ann.id} order by 1`)
  expect(announced).toEqual([{ id: old.id }, { id: boost.id }])
})

test('each exception keeps its statuses, and without exceptions all are deleted', async () => {
  const [ann, bob] = [fakeAccount(), fakeAccount()]
  const file = harness.fakes.file(ann)
  const plain = await harness.post(ann, 'plain')
  const made = {
    keepPinned: await harness.post(ann, 'pinned'),
    keepDirect: await harness.post(ann, { status: 'direct', visibility: 'direct' }),
    keepPolls: await harness.post(ann, { status: 'poll', poll: { options: ['a', 'b'], expires_in: 600 } }),
    keepMedia: await harness.post(ann, { status: 'media', media_ids: [file.id] }),
    keepOwnFavourites: await harness.post(ann, 'favourited'),
    keepOwnBookmarks: await harness.post(ann, 'bookmarked'),
    leastFavourites: await harness.post(ann, 'liked'),
    leastReblogs: await harness.post(ann, 'boosted'),
  }
  await call(statuses.addPin, { id: made.keepPinned.id }, harness.as(ann))
  await call(statuses.addFavourite, { id: made.keepOwnFavourites.id }, harness.as(ann))
  await call(statuses.addBookmark, { id: made.keepOwnBookmarks.id }, harness.as(ann))
  for (const who of [bob, fakeAccount()])
    await call(statuses.addFavourite, { id: made.leastFavourites.id }, harness.as(who))
  await call(statuses.addReblog, { id: made.leastReblogs.id }, harness.as(bob))
  await harness.cluster.waitForIdle()
  const everything = {
    ...{ keepPinned: true, keepDirect: true, keepPolls: true, keepMedia: true },
    ...{ keepOwnFavourites: true, keepOwnBookmarks: true, leastFavourites: 2, leastReblogs: 1 },
  }
  pass(8)
  await want(ann, everything)
  await go()
  expect(await left(ann)).toEqual(Object.values(made).map((one) => one.id))
  await expect(call(statuses.showStatus, { id: plain.id }, harness.as(ann))).rejects.toMatchObject({ status: 404 })
  for (const [name, status] of Object.entries(made)) {
    const off = typeof everything[name as keyof typeof everything] === 'number' ? null : false
    Object.assign(everything, { [name]: off })
    await want(ann, everything)
    await go()
    expect(await left(ann), name).not.toContain(status.id)
  }
  expect(await left(ann)).toEqual([])
  expect(file.status).toBeNull()
})

test('a pass deletes a few statuses, the next one follows after a minute, and kept ones are checked again after a week', async () => {
  const ann = fakeAccount()
  const ids: string[] = []
  for (let i = 0; i < 25; i++) ids.push((await harness.post(ann, `status ${i}`)).id)
  await call(statuses.addBookmark, { id: ids[0] ?? '' }, harness.as(ann))
  pass(8)
  await want(ann)
  await go()
  expect(await left(ann)).toEqual([ids[0], ...ids.slice(21)])
  await go()
  expect(await left(ann)).toHaveLength(5)
  pass(0.01)
  await go()
  expect(await left(ann)).toEqual([ids[0]])
  await call(statuses.removeBookmark, { id: ids[0] ?? '' }, harness.as(ann))
  pass(1)
  await go()
  expect(await left(ann)).toEqual([ids[0]])
  pass(7)
  await go()
  pass(1)
  await go()
  expect(await left(ann)).toEqual([])
})

test('nothing of a suspended account is deleted, and its policy is removed with the account', async () => {
  const ann = fakeAccount()
  const status = await harness.post(ann, 'evidence')
  const db = harness.cluster.db('statuses')
  await db.run(sql`update author_flags set suspended = true where account_id = ${ann.id}`)
  await want(ann)
  pass(8)
  await go()
  expect(await left(ann)).toEqual([status.id])
  await harness.happen(accounts.accountRemoved, { id: ann.id, uri: ann.uri, local: true })
  expect(await db.rows(sql`select 1 from cleanup_policies where account_id = ${ann.id}`)).toEqual([])
})

test('nothing is deleted while the outbox is behind', async () => {
  const db = harness.cluster.db('statuses')
  /** Returns false if the waiting event was sent before the tick ended; then the attempt proves nothing. */
  const attempt = async (): Promise<boolean> => {
    const ann = fakeAccount()
    const status = await harness.post(ann, 'old')
    pass(8)
    await harness.cluster.waitForIdle()
    await db.run(sql`insert into outbox (id, subject, data, created_at)
      values (1, 'evt.statuses.status.refreshed', '{}', now() - interval '1 hour')`)
    await want(ann)
    await cleanUpDue.run(here() as never)
    const waited = (await db.run(sql`delete from outbox where id = 1 and sent_at is null`)) > 0
    await db.run(sql`delete from outbox where id = 1`)
    if (!waited) return false
    expect(await left(ann)).toEqual([status.id])
    await go()
    expect(await left(ann)).toEqual([])
    return true
  }
  for (let tries = 0; !(await attempt()); tries++) expect(tries).toBeLessThan(5)
})

test('statuses of a disabled or suspended account are kept until it may act again', async () => {
  const [disabled, suspended] = [fakeAccount(), fakeAccount()]
  const posts = [await harness.post(disabled, 'kept'), await harness.post(suspended, 'kept')]
  await want(disabled)
  await want(suspended)
  disabled.disabled = true
  suspended.suspended = true
  pass(8)
  await go()
  await go()
  expect([await left(disabled), await left(suspended)]).toEqual(posts.map(({ id }) => [id]))
  disabled.disabled = false
  suspended.suspended = false
  pass(1.1)
  await go()
  expect([await left(disabled), await left(suspended)]).toEqual([[], []])
})
