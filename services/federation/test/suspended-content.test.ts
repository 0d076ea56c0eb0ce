/** Statuses of suspended servers are hidden at once and deleted later. An earlier end of the suspension restores them. */
import { moderateAccount } from '@murmuration/contracts/accounts'
import { showStatus, statusRecords } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { app as statuses } from '@murmuration/statuses'
import { makeActivity } from '@murmuration/testkit/outside/remote-actor'
import { normaliseDomain } from '@murmuration/text'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Fixture, startFixture } from './fixture.js'

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture.harness.stop())
afterEach(() => fixture.harness.policy({}))

const STAMP = 'block 1'
const block = async (action: 'suspend' | 'unsuspend') => {
  const { harness } = fixture
  const rule = { domain: '127.0.0.1', severity: 'suspend' as const, reject_media: false, reject_reports: false }
  await harness.policy({ blocks: action === 'suspend' ? [{ ...rule, stamp: STAMP }] : [] })
  // Domains in tests have ports, which rules cannot name, so the test applies the effect to the account itself.
  const account = await harness.account(fixture.rita.id)
  await harness.call(moderateAccount, { id: account?.id ?? '', action, stamp: STAMP })
  await harness.waitForIdle()
}
/** Runs the upkeep so many days from now. */
const daysLater = async (days: number, limited = false) => {
  const { harness } = fixture
  const ctx = harness.host.running.find((one) => one.service === 'statuses')?.ctx
  const tick = statuses.manifest.ticks.find((one) => one.name === 'statuses.erase-suspended')
  ctx?.clock.moveTo(days * 86_400_000)
  const config = { ...(ctx as unknown as { config: object }).config, limitedFederation: limited }
  await tick?.run({ ...ctx, config })
  ctx?.clock.moveTo(0)
  await harness.waitForIdle()
}
const stored = async (by: { ids: string[] } | { uris: string[] }) =>
  (await fixture.harness.call(statusRecords, by)).records[0]
const write = async () => {
  const object = fixture.note(fixture.rita)
  expect(await fixture.sendActivity(fixture.rita, 'Create', object)).toBe('done')
  const { id = '' } = (await stored({ uris: [object.id] })) ?? {}
  return { object, uri: object.id, id }
}
const likes = async () =>
  (await fixture.harness.call(showStatus, { id: fixture.post.id }, fixture.bob)).favourites_count
const noted = () => fixture.harness.db('statuses').rows(sql`select 1 from suspended_authors`)

test('moderation 1 suspend: content is hidden at once, back if the suspension ends within a day, and deleted after that', async () => {
  const { object, uri, id } = await write()
  const like = makeActivity(fixture.rita, 'Like', fixture.post.uri)
  await fixture.harness.outcome(fixture.remote, like, { as: fixture.rita })
  expect(await likes()).toBe(1)

  await block('suspend')
  await daysLater(0)
  expect(await fixture.shown(uri)).toBeNull()
  expect((await stored({ ids: [id] }))?.deleted).toBe(false)
  await daysLater(0.9)
  await block('unsuspend')
  expect(await noted()).toEqual([])
  await daysLater(2)
  expect(await fixture.shown(uri)).not.toBeNull()

  await block('suspend')
  await daysLater(0)
  await daysLater(1.1)
  expect((await stored({ ids: [id] }))?.deleted).toBe(true)
  expect(await likes()).toBe(0)
  // A deleted status is not restored, but may be fetched again, because its author did not delete it.
  await block('unsuspend')
  expect(await fixture.shown(uri)).toBeNull()
  expect(await noted()).toEqual([])
  expect(await fixture.sendActivity(fixture.rita, 'Create', object)).toBe('done')
  expect(await fixture.shown(uri)).not.toBeNull()
  expect((await stored({ ids: [id] }))?.deleted).toBe(true)
})

test('a suspension that ended while it was recorded is dropped at the next check, and shortens no later one', async () => {
  const account = await fixture.harness.account(fixture.rita.id)
  await fixture.harness.db('statuses').run(sql`insert into suspended_authors (author_id, domain, since, due_at)
    values (${account?.id ?? ''}, '127.0.0.1', now() - interval '2 days', now())`)
  await daysLater(0.1)
  expect(await noted()).toEqual([])
})

test('moderation 4: content of unlisted servers is hidden and kept without a time limit', async () => {
  const { uri, id } = await write()
  const account = await fixture.harness.account(fixture.rita.id)
  const moderate = (action: 'suspend' | 'unsuspend') =>
    fixture.harness.call(moderateAccount, { id: account?.id ?? '', action, stamp: 'domain-allow:127.0.0.1' })
  await moderate('suspend')
  await fixture.harness.waitForIdle()
  for (const days of [0, 2, 31, 400]) await daysLater(days, true)
  expect(await fixture.shown(uri)).toBeNull()
  expect((await stored({ ids: [id] }))?.deleted).toBe(false)
  await moderate('unsuspend')
  await fixture.harness.waitForIdle()
  expect(await fixture.shown(uri)).not.toBeNull()
})

test('moderation 4: content of a server removed from the list is deleted after a day, unless it is listed again', async () => {
  const { uri, id } = await write()
  const { harness } = fixture
  const account = await harness.account(fixture.rita.id)
  const moderate = (action: 'suspend' | 'unsuspend') =>
    harness.call(moderateAccount, { id: account?.id ?? '', action, stamp: 'domain-allow:127.0.0.1' })
  const named = account?.domain ?? ''
  const domain = normaliseDomain(named) ?? named
  const isErased = async () => (await stored({ ids: [id] }))?.deleted
  const takenOff = () => harness.db('statuses').rows(sql`select 1 from delisted_domains`)
  const applyRemove = async () => {
    const ctx = harness.host.running.find((one) => one.service === 'statuses')?.ctx
    const reaction = statuses.manifest.reactions.find((one) => one.name === 'on-domain-allow-lifted')
    await reaction?.run(ctx, { at: Date.now(), domain })
    await moderate('suspend')
    await harness.waitForIdle()
    await daysLater(0, true)
    expect(await fixture.shown(uri)).toBeNull()
  }
  await applyRemove()
  await daysLater(0.9, true)
  await moderate('unsuspend')
  await harness.waitForIdle()
  await harness.policy({ allows: [domain] })
  await daysLater(2, true)
  expect(await fixture.shown(uri)).not.toBeNull()
  expect(await takenOff()).toEqual([])

  await harness.policy({})
  await applyRemove()
  expect(await isErased()).toBe(false)
  await daysLater(1.1, true)
  expect(await isErased()).toBe(true)
  await moderate('unsuspend')
  await harness.waitForIdle()
  // Without that mode there is no allow list.
  await daysLater(2)
  expect(await takenOff()).toEqual([])
})

test('moderation 4: when that mode ends, nothing is erased before thirty more days, so that staff’s lifting comes in time', async () => {
  const { uri, id } = await write()
  const account = await fixture.harness.account(fixture.rita.id)
  const moderate = (action: 'suspend' | 'unsuspend') =>
    fixture.harness.call(moderateAccount, { id: account?.id ?? '', action, stamp: 'domain-allow:127.0.0.1' })
  const isErased = async () => (await stored({ ids: [id] }))?.deleted
  await moderate('suspend')
  await fixture.harness.waitForIdle()
  for (const days of [0, 2, 31, 40]) await daysLater(days, true)
  await daysLater(41.5)
  expect(await isErased()).toBe(false)
  await moderate('unsuspend')
  await fixture.harness.waitForIdle()
  expect(await fixture.shown(uri)).not.toBeNull()

  // The content of an account that stays suspended is deleted in the end.
  await moderate('suspend')
  await fixture.harness.waitForIdle()
  for (const days of [0, 40]) await daysLater(days, true)
  await daysLater(69)
  expect(await isErased()).toBe(false)
  await daysLater(71)
  expect(await isErased()).toBe(true)
  await moderate('unsuspend')
  await fixture.harness.waitForIdle()
})

test('limits: one suspended person keeps what they wrote for thirty days', async () => {
  const { id } = await write()
  const account = await fixture.harness.account(fixture.rita.id)
  await fixture.harness.call(moderateAccount, { id: account?.id ?? '', action: 'suspend', stamp: 'staff' })
  await fixture.harness.waitForIdle()
  for (const days of [0, 2, 29]) await daysLater(days)
  expect((await stored({ ids: [id] }))?.deleted).toBe(false)
  await daysLater(31)
  expect((await stored({ ids: [id] }))?.deleted).toBe(true)
})
