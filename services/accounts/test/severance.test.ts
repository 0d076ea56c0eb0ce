/** Tests of severances: stored for the affected accounts only, with the handles of the lost accounts. */
import {
  accountRecords,
  createDomainBlock,
  createFollow,
  domainTies,
  listRelationships,
  listSeverances,
  moderateAccount,
  severanceCards,
  severancePage,
  signInUser,
} from '@murmuration/contracts/accounts'
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endFollowsHereWork } from '../src/moderation/jobs.js'
import { type Harness, startAccounts } from './harness.js'

const password = 'correct horse battery'
let harness: Harness
beforeAll(async () => {
  harness = await startAccounts()
})
afterAll(() => harness.stop())

const createAccount = async (name: string) => {
  const viewer = await harness.createAccount(name, { password })
  const email = `${name}@mail.example`
  const { session } = await harness.call(signInUser, { email, password, ip: null, userAgent: null })
  return { viewer, id: viewer.id, session: session ?? '' }
}
let rows = 900
const follow = (
  from: string,
  to: string,
  local: boolean,
  more = { notify: false, languages: null as string[] | null },
) =>
  harness.db('accounts').run(sql`insert into follows
    (id, account_id, target_id, account_local, notify, languages, created_at)
    values (${rows++}, ${from}, ${to}, ${local}, ${more.notify}, ${more.languages}, now())`)
const eventsOf = async (session: string) => (await harness.call(listSeverances, { session })).events
const page = async (session: string, id: string, which: 'following' | 'followers') =>
  (await harness.call(severancePage, { session, id, which })).rows

test('a domain block by a user creates one severance, and none if it ended no follow', async () => {
  const alice = await createAccount('alice')
  const bob = await createAccount('bob')
  const rita = await harness.remote('rita', { domain: 'lost.example' })
  const olaf = await harness.remote('olaf', { domain: 'lost.example' })
  await follow(alice.id, rita, true, { notify: true, languages: ['de', 'en'] })
  await follow(olaf, alice.id, false)
  await harness.call(createDomainBlock, { domain: 'lost.example' }, alice.viewer)
  await harness.call(createDomainBlock, { domain: 'lost.example' }, alice.viewer)
  await harness.call(createDomainBlock, { domain: 'lost.example' }, bob.viewer)
  const [event, ...more] = await eventsOf(alice.session)
  expect(more).toEqual([])
  expect(event).toMatchObject({
    type: 'user_domain_block',
    target_name: 'lost.example',
    purged: false,
    following_count: 1,
    followers_count: 1,
  })
  const id = event?.id ?? ''
  expect(await page(alice.session, id, 'following')).toEqual([
    ['Account address', 'Show boosts', 'Notify on new posts', 'Languages'],
    ['rita@lost.example', 'true', 'true', 'de, en'],
  ])
  expect(await page(alice.session, id, 'followers')).toEqual([['Account address'], ['olaf@lost.example']])
  expect(await eventsOf(bob.session)).toEqual([])
  const announced = await harness
    .db('accounts')
    .rows<{ data: string }>(sql`select data from outbox where subject = 'evt.accounts.relationship.severed'`)
  expect(announced.map((row) => JSON.parse(row.data))).toEqual([{ id, account: alice.id }])

  // A057: a severance of another account is not found.
  await expect(page(bob.session, id, 'following')).rejects.toMatchObject({ status: 404 })
  expect((await harness.call(severanceCards, { viewer: bob.id, ids: [id] })).size).toBe(0)
  expect(JSON.parse((await harness.call(severanceCards, { viewer: alice.id, ids: [id] })).get(id) ?? '')).toEqual(event)
})

test('a domain suspension creates severances for local accounts, and later pages are added to them', async () => {
  const carol = await createAccount('carol')
  const [one, two] = [
    await harness.remote('one', { domain: 'shut.example' }),
    await harness.remote('two', { domain: 'sub.shut.example' }),
  ]
  await follow(carol.id, one, true)
  await follow(two, carol.id, false)
  expect(await harness.call(domainTies, { domains: ['nobody.example', 'shut.example', 'sub.shut.example'] })).toEqual({
    ties: [
      { accounts: 0, following: 0, followers: 0 },
      { accounts: 2, following: 1, followers: 1 },
      { accounts: 1, following: 0, followers: 1 },
    ],
  })
  const suspend = () =>
    harness.call(moderateAccount, { domain: 'shut.example', action: 'suspend', stamp: 'domain_block 7' })
  await suspend()
  const late = await harness.remote('late', { domain: 'shut.example' })
  await follow(carol.id, late, true)
  await suspend()
  await suspend()
  const events = await eventsOf(carol.session)
  expect(events).toEqual([
    expect.objectContaining({
      type: 'domain_block',
      target_name: 'shut.example',
      following_count: 2,
      followers_count: 1,
    }),
  ])
  expect((await page(carol.session, events[0]?.id ?? '', 'following')).slice(1).map(([address]) => address)).toEqual([
    'late@shut.example',
    'one@shut.example',
  ])
})

test('moderation 1: a rule for a host applies to accounts whose handles have another domain, and is lifted for them', async () => {
  const nora = await createAccount('nora')
  const uri = 'https://web.split.example/users/'
  const [early, other] = [
    await harness.remote('early', { domain: 'split.example', uri: `${uri}early` }),
    await harness.remote('other', { domain: 'other.example' }),
  ]
  await follow(nora.id, early, true)
  const moderate = (action: 'silence' | 'unsilence' | 'suspend' | 'unsuspend') =>
    harness.call(moderateAccount, { domain: 'web.split.example', action, stamp: 'domain_block 9' })
  const relationship = async () =>
    (await harness.call(accountRecords, { ids: [early, other] })).records.map((one) => [one.silenced, one.suspended])
  expect(await moderate('silence')).toEqual({ changed: 1 })
  expect(await relationship()).toEqual([
    [true, false],
    [false, false],
  ])
  expect(await moderate('unsilence')).toEqual({ changed: 1 })
  expect(await moderate('suspend')).toEqual({ changed: 1 })
  expect(await relationship()).toEqual([
    [false, true],
    [false, false],
  ])
  expect((await eventsOf(nora.session))[0]).toMatchObject({ target_name: 'web.split.example', following_count: 1 })
  expect(await moderate('unsuspend')).toEqual({ changed: 1 })
  expect(await relationship()).toEqual([
    [false, false],
    [false, false],
  ])
})

/** Inserts many accounts of one domain, numbered from `from`. */
const insertAccounts = (from: number, many: number, domain: string | null) =>
  harness.fillTables(
    'accounts',
    sql`insert into accounts (id, username, domain, uri, url, created_at)
    select ${from} + n, 'c' || ${from} + n, ${domain}, 'https://' || coalesce(${domain}, 'here') || '/c' || ${from} + n, '', now()
    from generate_series(1, ${many}) n`,
  )
const left = async (domain: string) =>
  (
    await harness.db('accounts').row<{ n: number }>(sql`select count(*)::int as n from follows f
      join accounts a on a.id in (f.account_id, f.target_id) where a.domain = ${domain}`)
  )?.n

test('moderation 2: a domain block by a user ends all follows, however many, and counts them', async () => {
  const star = await createAccount('star')
  await insertAccounts(8_000_000, 10_100, 'huge.example')
  await harness.fillTables(
    'accounts',
    sql`insert into follows (id, account_id, target_id, account_local, created_at)
    select 8000000 + n, 8000000 + n, ${star.id}, false, now() from generate_series(1, 10100) n`,
  )
  await harness.call(createDomainBlock, { domain: 'huge.example' }, star.viewer)
  await harness.waitForIdle()
  expect(await left('huge.example')).toBe(0)
  const [event, ...more] = await eventsOf(star.session)
  expect([event?.followers_count, more]).toEqual([10_100, []])
  const names: string[] = []
  for (let after: string | null | undefined; after !== null; ) {
    const { rows: some, next } = await harness.call(severancePage, {
      session: star.session,
      id: event?.id ?? '',
      which: 'followers',
      ...(after ? { after } : {}),
    })
    names.push(...some.map(([address]) => address ?? ''))
    after = next
  }
  expect(new Set(names).size).toBe(10_101)
})

test('moderation 1: a domain suspension ends all follows, however many, unless it is lifted', async () => {
  const fan = await createAccount('fan')
  await insertAccounts(8_100_000, 500, 'many.example')
  await insertAccounts(8_200_000, 30, null)
  await harness.fillTables(
    'accounts',
    sql`insert into follows (id, account_id, target_id, account_local, created_at)
    select 8100000 + n, case when (n - 1) / 500 = 30 then ${fan.id}::bigint else 8200001 + (n - 1) / 500 end,
      8100001 + (n - 1) % 500, true, now() from generate_series(1, 15500) n`,
  )
  const moderate = (action: 'suspend' | 'unsuspend') =>
    harness.call(moderateAccount, { domain: 'many.example', action, stamp: 'block many' })
  expect(await moderate('suspend')).toEqual({ changed: 500 })
  await harness.waitForIdle()
  expect(await left('many.example')).toBe(0)
  expect(await eventsOf(fan.session)).toEqual([
    expect.objectContaining({ type: 'domain_block', target_name: 'many.example', following_count: 500 }),
  ])
  await moderate('unsuspend')
  await harness.waitForIdle()
  expect(await left('many.example')).toBe(0)
})

test('moderation 1: the suspension of a remote account ends all its follows, however many, unless it is lifted', async () => {
  const star = await createAccount('followed')
  const domain = 'vast.example'
  await insertAccounts(8_300_000, 2, domain)
  await insertAccounts(8_400_000, 15_100, null)
  await harness.fillTables(
    'accounts',
    sql`insert into follows (id, account_id, target_id, account_local, created_at)
    select 8500000 + n, 8300001, case when n = 1 then ${star.id}::bigint else 8400000 + n end, false, now()
    from generate_series(1, 15100) n`,
  )
  await harness.fillTables(
    'accounts',
    sql`insert into follow_requests (id, account_id, target_id, account_local, created_at)
    select 8600000 + n, 8300001, 8400000 + n, false, now() from generate_series(1, 5100) n`,
  )
  await follow('8300002', star.id, false)
  await harness.call(moderateAccount, { id: '8300001', action: 'suspend', stamp: 'strike 9' })
  await harness.waitForIdle()
  expect(await left(domain), 'the other account of the domain').toBe(1)
  expect(await harness.db('accounts').rows(sql`select 1 from follow_requests where account_id = 8300001`)).toEqual([])
  expect(await eventsOf(star.session)).toEqual([
    expect.objectContaining({ type: 'account_suspension', target_name: `c8300001@${domain}`, followers_count: 1 }),
  ])
  const causes = await harness
    .db('accounts')
    .rows(sql`select distinct cause from severances where target_name = ${`c8300001@${domain}`}`)
  expect(causes, 'all pages count to one decision').toHaveLength(1)

  await harness.call(moderateAccount, { id: '8300001', action: 'unsuspend', stamp: 'strike 9' })
  await follow('8300001', star.id, false)
  const host = harness.host.running.find((one) => one.service === 'accounts')
  const rest = { accounts: ['8300001', '8300002'], stamp: 'strike 9', decision: '1' }
  await endFollowsHereWork.run(host?.ctx, rest, { id: '1', tries: 1 })
  expect(await left(domain), 'accounts that are not suspended keep their follows').toBe(2)
})

test('moderation 1: a domain suspension also ends relationships with accounts that were suspended before', async () => {
  const nelly = await createAccount('nelly')
  const domain = 'before.example'
  const names = ['here', 'there', 'deep']
  const [here, there, deep] = await Promise.all(
    names.map((name) => harness.remote(name, { domain: name === 'deep' ? `sub.${domain}` : domain })),
  )
  for (const id of [here, there, deep]) await follow(nelly.id, id ?? '', true)
  for (const id of [here, deep])
    await harness.call(moderateAccount, { id: id ?? '', action: 'suspend', stamp: 'staff 1' })
  const left = async () => {
    await harness.waitForIdle()
    return (await harness.db('accounts').rows(sql`select 1 from follows where account_id = ${nelly.id}`)).length
  }
  expect(await left()).toBe(3)
  await harness.call(moderateAccount, { domain, action: 'suspend', stamp: 'block before' })
  expect(await left()).toBe(0)
  const [event] = await eventsOf(nelly.session)
  expect(event).toMatchObject({ type: 'domain_block', target_name: domain, following_count: 3 })
  await harness.call(moderateAccount, { domain, action: 'unsuspend', stamp: 'block before', restores: true })
  await harness.waitForIdle()
  const asked = await harness
    .db('accounts')
    .rows<{ target_id: string }>(sql`select target_id from follow_requests where account_id = ${nelly.id}`)
  // Staff suspends the other two by name.
  expect(asked).toEqual([{ target_id: there }])
})

test('a suspended remote account follows no local account, and its local followers stay', async () => {
  const dora = await createAccount('dora')
  const eve = await harness.remote('eve')
  await harness.call(createFollow, { id: eve }, dora.viewer)
  await follow(eve, dora.id, false)
  await follow(dora.id, eve, true)
  await harness.call(moderateAccount, { id: eve, action: 'suspend', stamp: 'strike 1' })
  await harness.call(moderateAccount, { id: eve, action: 'suspend', stamp: 'strike 1' })
  expect(await eventsOf(dora.session)).toEqual([
    expect.objectContaining({
      type: 'account_suspension',
      target_name: 'eve@remote.example',
      following_count: 0,
      followers_count: 1,
    }),
  ])
  const [relation] = await harness.call(listRelationships, { id: [eve], with_suspended: true }, dora.viewer)
  expect(relation).toMatchObject({ followed_by: false, following: true })
  const ended = await harness
    .db('accounts')
    .rows<{ data: string }>(sql`select data from outbox where subject = 'evt.accounts.follow.removed'`)
  expect(ended.map((row) => JSON.parse(row.data))).toContainEqual(
    expect.objectContaining({ from: eve, to: dora.id, byTarget: true }),
  )
  await harness.call(moderateAccount, { id: eve, action: 'unsuspend', stamp: 'strike 1' })
  expect((await harness.call(listRelationships, { id: [eve] }, dora.viewer))[0]).toMatchObject({ followed_by: false })
})
