/**
 * Deletion of old statuses by cleanup policies: which statuses, how many at once, and only of accounts with a policy.
 */
import type { Status } from '@murmuration/contracts/entities'
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NO_CLEANUP } from '../src/cleanup/rules.js'
import { cleanUpDue } from '../src/cleanup/ticks.js'
import { accounts, raise, type Stage, statuses } from './cast.js'
import type { Person } from './neighbours/world.js'

let stage: Stage
beforeAll(async () => {
  stage = await raise()
})
afterAll(() => stage.stop())

const call = ((...given) => stage.cluster.call(...given)) as Stage['cluster']['call']
const DAY = 86_400_000
const here = () => {
  const found = stage.cluster.host.running.find((one) => one.service === 'statuses')
  if (!found) throw new Error('statuses does not run')
  return found.ctx
}
let days = 0
/** Moves the clock of all services forward by days. It never moves back, because ids only grow. */
const pass = (more: number) => {
  days += more
  for (const { service, ctx } of stage.cluster.host.running) if (service === 'statuses') ctx.clock.moveTo(days * DAY)
}
let people = 0
const person = () => stage.world.person(`person${people++}`)
const want = (who: Person, more: Partial<statuses.Cleanup> = {}) =>
  call(statuses.cleanupChange, { account: who.id, ...NO_CLEANUP, enabled: true, age: 7, ...more })
const go = async () => {
  await cleanUpDue.run(here() as never)
  await stage.cluster.settle()
}
const left = async (who: Person) =>
  (
    await stage.cluster.db('statuses').rows<{ id: string }>(sql`select id from statuses
      where author_id = ${who.id} and deleted_at is null order by id`)
  ).map((row) => row.id)

test('only statuses of accounts with a policy are deleted, and only old ones', async () => {
  const [ann, bob] = [person(), person()]
  expect(await call(statuses.cleanupShow, { account: ann.id })).toEqual({ ...NO_CLEANUP, enabled: false })
  const old = await stage.post(ann, 'old')
  const others = await stage.post(bob, 'mine')
  const boost = (await call(statuses.addReblog, { id: others.id }, stage.as(ann))) as Status
  await want(ann)
  await want(bob, { enabled: false })
  expect(await call(statuses.cleanupShow, { account: ann.id })).toEqual({ ...NO_CLEANUP, enabled: true, age: 7 })
  pass(6.9)
  await go()
  expect(await left(ann)).toEqual([old.id, boost.id])
  pass(0.4)
  await go()
  expect([await left(ann), await left(bob)]).toEqual([[], [others.id]])
  await expect(call(statuses.showStatus, { id: old.id }, stage.as(bob))).rejects.toMatchObject({ status: 404 })
  const told = await stage.cluster.db('statuses').rows(sql`select data::jsonb ->> 'id' as id from outbox
    where subject = 'evt.statuses.status.deleted' and data::jsonb ->> 'author' = ${ann.id} order by 1`)
  expect(told).toEqual([{ id: old.id }, { id: boost.id }])
})

test('each exception keeps its statuses, and without exceptions all are deleted', async () => {
  const [ann, bob] = [person(), person()]
  const file = stage.world.file(ann)
  const plain = await stage.post(ann, 'plain')
  const made = {
    keepPinned: await stage.post(ann, 'pinned'),
    keepDirect: await stage.post(ann, { status: 'direct', visibility: 'direct' }),
    keepPolls: await stage.post(ann, { status: 'poll', poll: { options: ['a', 'b'], expires_in: 600 } }),
    keepMedia: await stage.post(ann, { status: 'media', media_ids: [file.id] }),
    keepOwnFavourites: await stage.post(ann, 'favourited'),
    keepOwnBookmarks: await stage.post(ann, 'bookmarked'),
    leastFavourites: await stage.post(ann, 'liked'),
    leastReblogs: await stage.post(ann, 'boosted'),
  }
  await call(statuses.addPin, { id: made.keepPinned.id }, stage.as(ann))
  await call(statuses.addFavourite, { id: made.keepOwnFavourites.id }, stage.as(ann))
  await call(statuses.addBookmark, { id: made.keepOwnBookmarks.id }, stage.as(ann))
  for (const who of [bob, person()]) await call(statuses.addFavourite, { id: made.leastFavourites.id }, stage.as(who))
  await call(statuses.addReblog, { id: made.leastReblogs.id }, stage.as(bob))
  await stage.cluster.settle()
  const everything = {
    ...{ keepPinned: true, keepDirect: true, keepPolls: true, keepMedia: true },
    ...{ keepOwnFavourites: true, keepOwnBookmarks: true, leastFavourites: 2, leastReblogs: 1 },
  }
  pass(8)
  await want(ann, everything)
  await go()
  expect(await left(ann)).toEqual(Object.values(made).map((one) => one.id))
  await expect(call(statuses.showStatus, { id: plain.id }, stage.as(ann))).rejects.toMatchObject({ status: 404 })
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
  const ann = person()
  const ids: string[] = []
  for (let i = 0; i < 25; i++) ids.push((await stage.post(ann, `status ${i}`)).id)
  await call(statuses.addBookmark, { id: ids[0] ?? '' }, stage.as(ann))
  pass(8)
  await want(ann)
  await go()
  expect(await left(ann)).toEqual([ids[0], ...ids.slice(21)])
  await go()
  expect(await left(ann)).toHaveLength(5)
  pass(0.01)
  await go()
  expect(await left(ann)).toEqual([ids[0]])
  await call(statuses.removeBookmark, { id: ids[0] ?? '' }, stage.as(ann))
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
  const ann = person()
  const status = await stage.post(ann, 'evidence')
  const db = stage.cluster.db('statuses')
  await db.run(sql`update author_flags set suspended = true where account_id = ${ann.id}`)
  await want(ann)
  pass(8)
  await go()
  expect(await left(ann)).toEqual([status.id])
  await stage.happen(accounts.accountRemoved, { id: ann.id, uri: ann.uri, local: true })
  expect(await db.rows(sql`select 1 from cleanup_policies where account_id = ${ann.id}`)).toEqual([])
})

test('nothing is deleted while the outbox is behind', async () => {
  const db = stage.cluster.db('statuses')
  /** Returns false if the waiting event was sent before the tick ended; then the attempt proves nothing. */
  const attempt = async (): Promise<boolean> => {
    const ann = person()
    const status = await stage.post(ann, 'old')
    pass(8)
    await stage.cluster.settle()
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
