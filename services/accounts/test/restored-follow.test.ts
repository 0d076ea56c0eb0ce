/** Tests of follows that a suspending domain block ended, and that are requested again after the block is undone. */
import {
  createBlock,
  createDomainBlock,
  followRequested,
  listRelationships,
  listSeverances,
  moderateAccount,
  removeFollow,
  severanceCards,
  severancePage,
  signInUser,
} from '@murmuration/contracts/accounts'
import { sql, type Tx } from '@murmuration/db'
import { plansOf } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { restoreFollowsWork } from '../src/severance/jobs.js'
import { severedPage } from '../src/severance/restore.store.js'
import { type Harness, startAccounts } from './harness.js'

const password = 'correct horse battery'
let harness: Harness
let count = 0
beforeAll(async () => {
  harness = await startAccounts()
})
afterAll(() => harness.stop())

const createAccount = async () => {
  const name = `local${++count}`
  const viewer = await harness.createAccount(name, { password })
  const signIn = { email: `${name}@mail.example`, password, ip: null, userAgent: null }
  const { session } = await harness.call(signInUser, signIn)
  return { viewer, id: viewer.id, session: session ?? '' }
}
let rows = 7_000
const follow = (
  from: string,
  to: string,
  isLocal: boolean,
  more = { notify: false, languages: null as string[] | null },
) =>
  harness.db('accounts').run(sql`insert into follows
    (id, account_id, target_id, account_local, notify, languages, created_at)
    values (${rows++}, ${from}, ${to}, ${isLocal}, ${more.notify}, ${more.languages}, now())`)
const eventsOf = async (session: string) => (await harness.call(listSeverances, { session })).events
const addressesOf = async (session: string, id: string, which: 'following' | 'followers') =>
  (await harness.call(severancePage, { session, id, which })).rows.slice(1).map(([address]) => address)
const requestsOf = (account: string) =>
  harness
    .db('accounts')
    .rows<{ id: string; to: string; notify: boolean; languages: string[] | null; uri: string }>(
      sql`select id, target_id as "to", notify, languages, uri from follow_requests where account_id = ${account} order by target_id`,
    )
const moderate = async (domain: string, action: 'suspend' | 'unsuspend', more: { restores?: boolean } = {}) => {
  await harness.call(moderateAccount, { domain, action, stamp: 'block', ...more })
  await harness.waitForIdle()
}
/** Creates a domain and its block. */
const blocked = () => {
  const domain = `far${++count}.example`
  return {
    domain,
    remote: (name: string) => harness.remote(name, { domain }),
    suspend: () => moderate(domain, 'suspend'),
    undo: () => moderate(domain, 'unsuspend', { restores: true }),
  }
}

test('an undone block requests the follows of local accounts again, and not those of remote accounts', async () => {
  const alice = await createAccount()
  const { domain, remote, suspend, undo } = blocked()
  const [rita, olaf] = [await remote('rita'), await remote('olaf')]
  await follow(alice.id, rita, true, { notify: true, languages: ['de', 'en'] })
  await follow(olaf, alice.id, false)
  await suspend()
  const [event] = await eventsOf(alice.session)
  expect(event).toMatchObject({ following_count: 1, followers_count: 1 })
  await undo()
  const requests = await requestsOf(alice.id)
  expect(requests).toMatchObject([{ to: rita, notify: true, languages: ['de', 'en'] }])
  const announced = await harness
    .db('accounts')
    .rows<{ data: string }>(sql`select data from outbox where subject = ${followRequested.subject}`)
  expect(announced.map(({ data }) => JSON.parse(data))).toEqual([
    expect.objectContaining({ from: alice.id, to: rita, fromLocal: true, toLocal: false, uri: requests[0]?.uri }),
  ])
  expect(await harness.call(listRelationships, { id: [rita, olaf] }, alice.viewer)).toMatchObject([
    { id: rita, following: false, requested: true },
    { id: olaf, followed_by: false },
  ])
  // The severance counts only follows that are still lost.
  expect(await eventsOf(alice.session)).toEqual([
    expect.objectContaining({ id: event?.id, target_name: domain, following_count: 0, followers_count: 1 }),
  ])
  expect(await addressesOf(alice.session, event?.id ?? '', 'following')).toEqual([])
  expect(await addressesOf(alice.session, event?.id ?? '', 'followers')).toEqual([`olaf@${domain}`])
})

test('a severance without lost follows is hidden, and a block that is removed without undo restores nothing', async () => {
  const alice = await createAccount()
  const { domain, remote, suspend, undo } = blocked()
  await follow(alice.id, await remote('rita'), true)
  await suspend()
  await moderate(domain, 'unsuspend')
  expect(await requestsOf(alice.id)).toEqual([])
  const [event] = await eventsOf(alice.session)
  await undo()
  expect(await requestsOf(alice.id)).toHaveLength(1)
  expect(await eventsOf(alice.session)).toEqual([])
  expect((await harness.call(severanceCards, { viewer: alice.id, ids: [event?.id ?? ''] })).size).toBe(0)
})

test('deleted, suspended, moved and blocked accounts get no request', async () => {
  const alice = await createAccount()
  const { domain, remote, suspend, undo } = blocked()
  const names = ['gone', 'moved', 'staff', 'foe', 'hater', 'fine']
  const ids = await Promise.all(names.map(remote))
  for (const id of ids) await follow(alice.id, id, true)
  await suspend()
  const [gone, moved, staff, foe, hater, fine] = ids as [string, string, string, string, string, string]
  const db = harness.db('accounts')
  await db.run(sql`update accounts set removed_at = now() where id = ${gone}`)
  await db.run(sql`update accounts set moved_to_id = ${fine} where id = ${moved}`)
  await harness.call(moderateAccount, { id: staff, action: 'suspend', stamp: 'staff', replaces: true })
  await harness.call(createBlock, { id: foe }, alice.viewer)
  await db.run(
    sql`insert into blocks (id, account_id, target_id, created_at) values (${rows++}, ${hater}, ${alice.id}, now())`,
  )
  await undo()
  expect((await requestsOf(alice.id)).map(({ to }) => to)).toEqual([fine])
  const [event] = await eventsOf(alice.session)
  expect(event).toMatchObject({ following_count: 5 })
  expect(await addressesOf(alice.session, event?.id ?? '', 'following')).not.toContain(`fine@${domain}`)
})

test('a local account that blocks the domain, is suspended or has moved sends no request', async () => {
  const accounts = [await createAccount(), await createAccount(), await createAccount()]
  const [blocker, suspended, moved] = accounts as [(typeof accounts)[0], (typeof accounts)[0], (typeof accounts)[0]]
  const { domain, remote, suspend, undo } = blocked()
  const rita = await remote('rita')
  for (const { id } of accounts) await follow(id, rita, true)
  await suspend()
  await harness.call(createDomainBlock, { domain }, blocker.viewer)
  await harness.call(moderateAccount, { id: suspended.id, action: 'suspend', stamp: 'staff' })
  await harness.db('accounts').run(sql`update accounts set moved_to_id = ${rita} where id = ${moved.id}`)
  await undo()
  for (const { id } of accounts) expect(await requestsOf(id)).toEqual([])
})

test('a withdrawn request is not sent again, and an existing follow stays unchanged', async () => {
  const [alice, bob] = [await createAccount(), await createAccount()]
  const { domain, remote, suspend, undo } = blocked()
  const rita = await remote('rita')
  for (const { id } of [alice, bob]) await follow(id, rita, true)
  await suspend()
  await moderate(domain, 'unsuspend')
  await follow(bob.id, rita, true)
  await undo()
  expect([(await requestsOf(alice.id)).length, await requestsOf(bob.id)]).toEqual([1, []])
  await harness.call(removeFollow, { id: rita }, alice.viewer)
  await undo()
  expect([await requestsOf(alice.id), await requestsOf(bob.id)]).toEqual([[], []])
  expect([await eventsOf(alice.session), await eventsOf(bob.session)]).toEqual([[], []])
})

test('a repeated block ends pending requests, and its undo sends them again', async () => {
  const [alice, bob] = [await createAccount(), await createAccount()]
  const { remote, suspend, undo } = blocked()
  const rita = await remote('rita')
  for (const { id } of [alice, bob]) await follow(id, rita, true)
  await suspend()
  await undo()
  // One of the two requests is accepted.
  await harness.db('accounts').run(sql`with r as (delete from follow_requests where account_id = ${bob.id} returning *)
    insert into follows (id, account_id, target_id, account_local, created_at) select id, account_id, target_id, true, now() from r`)
  await suspend()
  for (const { id, session } of [alice, bob]) {
    expect(await requestsOf(id)).toEqual([])
    expect(await eventsOf(session)).toMatchObject([{ following_count: 1 }])
  }
  await undo()
  for (const { id, session } of [alice, bob]) {
    expect(await requestsOf(id)).toHaveLength(1)
    expect(await eventsOf(session)).toEqual([])
  }
})

test('the undo of a block requests all ended follows in pages, also if a later order replaces it', async () => {
  const { domain, suspend } = blocked()
  const db = harness.db('accounts')
  await db.run(sql`insert into accounts (id, username, domain, uri, url, created_at)
    select 9000000 + n, 'r' || n, ${domain}, 'https://' || ${domain} || '/r' || n, '', now() from generate_series(1, 620) n`)
  await db.run(sql`insert into accounts (id, username, uri, url, created_at)
    select 9100000 + n, 'many' || n, 'https://here/many' || n, '', now() from generate_series(1, 5) n`)
  await db.run(sql`insert into follows (id, account_id, target_id, account_local, created_at)
    select 9200000 + n, 9100001 + n % 5, 9000001 + n / 5, true, now() from generate_series(0, 3099) n`)
  await suspend()
  const open = sql`select count(*)::int as n from follow_requests where account_id between 9100001 and 9100005`
  await harness.call(moderateAccount, { domain, action: 'unsuspend', stamp: 'block', restores: true })
  await harness.call(moderateAccount, { domain, action: 'unsuspend', stamp: 'block' })
  await harness.waitForIdle()
  expect(await db.row(open)).toEqual({ n: 3_100 })
  const left = sql`select sum(following_count)::int as n from severances where target_name = ${domain}`
  expect(await db.row(left)).toEqual({ n: 0 })
})

test('a run of the undo that is repeated queues its next run once', async () => {
  const { domain, suspend } = blocked()
  const db = harness.db('accounts')
  await db.run(sql`insert into accounts (id, username, domain, uri, url, created_at)
    select 9300000 + n, 't' || n, ${domain}, 'https://' || ${domain} || '/t' || n, '', now() from generate_series(1, 400) n`)
  const { id } = await createAccount()
  await db.run(sql`insert into follows (id, account_id, target_id, account_local, created_at)
    select 9300000 + n, ${id}, 9300000 + n, true, now() from generate_series(1, 400) n`)
  await suspend()
  await moderate(domain, 'unsuspend')
  const ctx = harness.host.running.find((one) => one.service === 'accounts')?.ctx
  const queue = vi.fn(async () => undefined)
  for (let times = 0; times < 2; times++)
    await restoreFollowsWork.run({ ...ctx, queue }, { domain, stamp: 'block' }, { id: '4602', tries: 1 })
  expect(await requestsOf(id)).toHaveLength(400)
  expect(queue).toHaveBeenCalledTimes(1)
})

test('indexes serve the query of ended follows', async () => {
  const { id } = await createAccount()
  await harness.fillTables(
    'accounts',
    sql`insert into accounts (id, username, domain, uri, url, created_at)
    select 9500000 + n, 'x' || n, 'x.example', 'https://x.example/' || n, '', now() from generate_series(1, 6000) n`,
    sql`insert into severances (id, account_id, kind, target_name, cause, following_count, followers_count, created_at)
    select 9600000 + n, ${id}, 'domain_block', 'x', 'c' || n, 1, 1, now() from generate_series(1, 6000) n`,
    sql`insert into severed_follows (severance_id, following, address, reblogs, notify)
    select 9600000 + s, true, 'x' || n || '@x.example', true, false from generate_series(1, 6000) s, generate_series(1, 6) n`,
    sql`analyze`,
  )
  const sendRequest = (db: Tx) => severedPage(db, 'c7', { severance: '0', address: '' }, 200)
  const plan = await plansOf(harness.db('accounts'), sendRequest)
  for (const index of ['severances_cause', 'severed_follows_pkey', 'accounts_handle']) expect(plan).toContain(index)
  expect(plan).not.toContain('Seq Scan')
})
