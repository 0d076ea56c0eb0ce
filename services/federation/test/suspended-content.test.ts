/** What people of suspended servers wrote is hidden at once and erased when that lasts; who is back sooner has lost nothing. */
import { accountModerate } from '@murmuration/contracts/accounts'
import { showStatus, statusRecords } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { app as statuses } from '@murmuration/statuses'
import { makeActivity } from '@murmuration/testkit/outside/remote-actor'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Stage, startStage } from './stage.js'

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
})
afterAll(() => stage.world.stop())
afterEach(() => stage.world.policy({}))

const STAMP = 'block 1'
const block = async (action: 'suspend' | 'unsuspend') => {
  const { world } = stage
  const rule = { domain: '127.0.0.1', severity: 'suspend' as const, reject_media: false, reject_reports: false }
  await world.policy({ blocks: action === 'suspend' ? [{ ...rule, stamp: STAMP }] : [] })
  // Domains here have ports, which no rule names: what a rule does to an account is done to it alone.
  const account = await world.account(stage.rita.id)
  await world.call(accountModerate, { id: account?.id ?? '', action, stamp: STAMP })
  await world.settle()
}
/** Runs the upkeep so many days from now. */
const daysLater = async (days: number) => {
  const { world } = stage
  const ctx = world.host.running.find((one) => one.service === 'statuses')?.ctx
  const tick = statuses.manifest.ticks.find((one) => one.name === 'statuses.erase-suspended')
  ctx?.clock.moveTo(days * 86_400_000)
  await tick?.run(ctx)
  ctx?.clock.moveTo(0)
  await world.settle()
}
const stored = async (by: { ids: string[] } | { uris: string[] }) =>
  (await stage.world.call(statusRecords, by)).records[0]
const write = async () => {
  const object = stage.note(stage.rita)
  expect(await stage.say(stage.rita, 'Create', object)).toBe('done')
  const { id = '' } = (await stored({ uris: [object.id] })) ?? {}
  return { object, uri: object.id, id }
}
const likes = async () => (await stage.world.call(showStatus, { id: stage.post.id }, stage.bob)).favourites_count
const noted = () => stage.world.db('statuses').rows(sql`select 1 from suspended_authors`)

test('moderation 1 suspend: hidden at once, there again when it is lifted on the first day, erased when it is not', async () => {
  const { object, uri, id } = await write()
  const like = makeActivity(stage.rita, 'Like', stage.post.uri)
  await stage.world.outcome(stage.remote, like, { as: stage.rita })
  expect(await likes()).toBe(1)

  await block('suspend')
  await daysLater(0)
  expect(await stage.shown(uri)).toBeNull()
  expect((await stored({ ids: [id] }))?.deleted).toBe(false)
  await daysLater(0.9)
  await block('unsuspend')
  expect(await noted()).toEqual([])
  await daysLater(2)
  expect(await stage.shown(uri)).not.toBeNull()

  await block('suspend')
  await daysLater(0)
  await daysLater(1.1)
  expect((await stored({ ids: [id] }))?.deleted).toBe(true)
  expect(await likes()).toBe(0)
  // What is deleted is not brought back, but may come again: nobody took it back.
  await block('unsuspend')
  expect(await stage.shown(uri)).toBeNull()
  expect(await noted()).toEqual([])
  expect(await stage.say(stage.rita, 'Create', object)).toBe('done')
  expect(await stage.shown(uri)).not.toBeNull()
  expect((await stored({ ids: [id] }))?.deleted).toBe(true)
})

test('a suspension that was lifted while it was being noted is forgotten at the next look, and shortens no later one', async () => {
  const account = await stage.world.account(stage.rita.id)
  await stage.world.db('statuses').run(sql`insert into suspended_authors (author_id, domain, since, due_at)
    values (${account?.id ?? ''}, '127.0.0.1', now() - interval '2 days', now())`)
  await daysLater(0.1)
  expect(await noted()).toEqual([])
})

test('limits: one suspended person keeps what they wrote for thirty days', async () => {
  const { id } = await write()
  const account = await stage.world.account(stage.rita.id)
  await stage.world.call(accountModerate, { id: account?.id ?? '', action: 'suspend', stamp: 'staff' })
  await stage.world.settle()
  for (const days of [0, 2, 29]) await daysLater(days)
  expect((await stored({ ids: [id] }))?.deleted).toBe(false)
  await daysLater(31)
  expect((await stored({ ids: [id] }))?.deleted).toBe(true)
})
