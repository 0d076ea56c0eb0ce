/** Tests that frequent queries use indexes, with EXPLAIN on tables that are large enough for the planner. */
import { type Database, openDatabase, type Reader, sql, type Tx } from '@murmuration/db'
import { keptPlansOf, plansOf } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  activeFollowers,
  audiencePage,
  followedElsewhere,
  followeesOf,
  inboxesOf,
  inboxesOfBlockers,
  listsContaining,
  relationUris,
} from '../src/audience/store.js'
import {
  authorById,
  recordsByHandles,
  recordsByIds,
  recordsByPages,
  recordsByUris,
} from '../src/core/account/record.store.js'
import { accountsByHandles, accountsByIds, accountsByPage, accountsByUris } from '../src/core/account/store.js'
import { countWithDomain, relationsWithDomain } from '../src/core/follow/domain.store.js'
import { countRequesters, followPage, requestersOf } from '../src/core/follow/page.store.js'
import { relationshipsOfViewer, relationshipsToAuthor, relationsOfViewer } from '../src/core/relationship/store.js'
import { sessionsOf, userBySession } from '../src/core/session/store.js'
import { isTokenExpired, tokenOfGrant, tokenWithUser } from '../src/core/token/store.js'
import { userOfIdentity } from '../src/core/user/identity.store.js'
import { relationsAfter } from '../src/follow/many.store.js'
import { followerUrisAt } from '../src/follower-digest/store.js'
import { mutedBy } from '../src/mute/store.js'
import { grantsOf } from '../src/oauth/grant.store.js'
import { refusalsBetween } from '../src/relationship/refusal.store.js'
import { inboxHostsOf } from '../src/remote-account/inbox-host.store.js'
import { remoteKey } from '../src/remote-account/key.store.js'
import { accountsOfDomain, prunableAccounts } from '../src/remote-account/purge.store.js'
import { urisAtInbox } from '../src/remote-account/store.js'
import { accountWindow } from '../src/remote-account/window.store.js'
import { internationalDomains, searchAccounts } from '../src/search/store.js'
import { factorsOf } from '../src/second-factor/factors.js'
import { attemptsOf, isNewNetwork } from '../src/session/sign-in.store.js'
import { stepByDigest } from '../src/sign-in-step/store.js'
import { countAccounts, countDomains } from '../src/statistics/store.js'
import { directoryPage } from '../src/suggestion/directory.store.js'
import { friendsOfFriends, recommended, suggestableAmong } from '../src/suggestion/store.js'
import { type Harness, startAccounts } from './harness.js'

let harness: Harness
beforeAll(async () => {
  harness = await startAccounts()
  // Only the owner of the tables may analyse them.
  await harness.fillTables(
    'accounts',
    sql`insert into accounts (id, username, domain, uri, url, display_name, created_at)
    select n, 'name' || n, case when n > 4000 then 'host' || n % 50 || '.example' end, 'https://x/' || n, 'https://x/@' || n,
      'Name ' || n, now() from generate_series(1, 20000) n`,
    // Names have a realistic length, so that a scan of the whole table has a realistic cost.
    sql`insert into account_search (account_id, words)
    select id, (quote_literal(username) || ':1 ' || quote_literal(coalesce(domain, 'here')) || ':2 ' ||
      (select string_agg(quote_literal('word' || (id * 7 + k * 13) % 5000) || ':' || k, ' ') from generate_series(3, 9) k))::tsvector
    from accounts`,
    sql`update accounts set discoverable = id % 20 = 0`,
    sql`update accounts set uri = 'https://small.example/' || id where id between 6001 and 6010`,
    sql`update accounts set inbox_url = uri || '/inbox',
    shared_inbox_url = case when id % 10 > 0 then 'https://' || domain || '/inbox' end where domain is not null`,
    sql`insert into account_stats (account_id, last_status_at)
    select id, now() - make_interval(secs => id % 1000) from accounts`,
    sql`insert into recommended_accounts (place, account_id) select n, n * 20 from generate_series(1, 400) n`,
    sql`insert into users (id, account_id, email, confirmed_at, active_at, created_at)
    select n, n, 'mail' || n, now(), now(), now() from generate_series(1, 4000) n`,
    sql`insert into preferences (account_id) select account_id from users`,
    // Each local account follows ten accounts, and thousands follow the first one.
    sql`insert into follows (id, account_id, target_id, account_local, inbox, created_at)
    select row_number() over (), f, t, f <= 4000, case when f > 4000 then 'https://host' || f % 50 || '/inbox' end, now()
    from (select f, 1 + (f * 7 + k * 13) % 20000 as t from generate_series(1, 4000) f, generate_series(1, 10) k
      union select f, 1 from generate_series(4001, 7000) f union select f, 1 from generate_series(2, 1500) f) pairs where f <> t`,
    sql`insert into follow_requests (id, account_id, target_id, account_local, created_at)
    select n, n, 1 + n % 300, false, now() from generate_series(1000, 4000) n`,
    sql`insert into blocks (id, account_id, target_id, created_at)
    select n, 1 + n % 40, n, now() from generate_series(1000, 3000) n`,
    sql`insert into mutes (id, account_id, target_id, notifications, created_at)
    select n, 1 + n % 40, n, true, now() from generate_series(1000, 3000) n`,
    sql`insert into lists (id, account_id, title, created_at)
    select n, 1 + n % 4000, 'list', now() from generate_series(1, 6000) n`,
    sql`insert into list_members (list_id, member_id, owner_id)
    select n, m * 100 + n % 50 + 1, 1 + n % 4000 from generate_series(1, 6000) n, generate_series(1, 10) m`,
    sql`insert into remote_keys (id, account_id, pem)
    select 'https://x/' || n || '#key', n, 'pem' from generate_series(4001, 20000) n`,
    sql`insert into one_time_codes (user_id, secret_sealed, created_at, confirmed_at)
    select n, '', now(), now() from generate_series(1, 3000) n`,
    sql`insert into security_keys (id, user_id, credential_id, public_key, sign_count, name, created_at)
    select n, 1 + n % 4000, n, '', 0, '', now() from generate_series(1, 6000) n`,
    sql`insert into sessions (id, user_id, hash, created_at, used_at)
    select n, 1 + n % 4000, decode(md5(n::text), 'hex'), now(), now() from generate_series(1, 12000) n`,
    sql`insert into sign_in_attempts (id, user_id, method, succeeded, created_at)
    select n, 1 + n % 4000, 'password', true, now() from generate_series(1, 12000) n`,
    sql`insert into sign_ins (user_id, ip, used_at)
    select 1 + n % 4000, '192.0.2.0'::inet + n / 4000, now() from generate_series(1, 12000) n`,
    sql`insert into sign_in_steps (hash, kind, data_sealed, created_at, expires_at)
    select decode(md5(n::text), 'hex'), 'factor', '', now(), now() from generate_series(1, 6000) n`,
    sql`insert into applications (id, client_id, secret_hash, name, redirect_uris, scopes, created_at)
    select n, n, '', '', '{}', '{}', now() from generate_series(1, 3000) n`,
    sql`insert into access_tokens (id, application_id, user_id, scopes, hash, nonce, created_at)
    select n, 1 + n % 3000, 1 + n % 4000, '{read,write}', decode(md5(n::text), 'hex'), '', now()
    from generate_series(1, 12000) n`,
    sql`insert into identities (provider, subject, user_id, created_at)
    select 'openid_connect', n, 1 + n % 4000, now() from generate_series(1, 4000) n`,
    sql`analyze`,
  )
})
afterAll(() => harness.stop())

/** Tables that are small in practice, or empty in this test. */
const SMALL = ['roles', 'notes', 'endorsements', 'domain_blocks', 'recommended_accounts', 'suggestion_dismissals']

const at = new Date()
const page = { limit: 40, max_id: '9000000000' }
const limits = { idleSince: at, bornSince: at }
const listed = { newest: false, local: false, viewer: '1', limit: 40, offset: 0, at }
const named = { name: 'ali', domain: null, ownDomain: false, viewer: '1', following: false, limit: 40, offset: 0 }
const wish = { ...named, without: null, phrases: [[['name77*']]], notOwnDomain: [], unicodeDomains: [] }

const purged = { domain: 'host1.example', below: true, sameHost: true }
const START = { by: 'handle' as const, turned: '', id: '' }
const ended = { target: '1', which: 'followers' as const, after: '0', limit: 500 }

const hot: [string, (db: Reader) => Promise<unknown>, string][] = [
  ['accounts by id', (db) => accountsByIds(db, ['1', '2']), 'accounts_pkey'],
  ['an author with posting defaults', (db) => authorById(db, '1'), 'accounts_pkey'],
  ['records by id', (db) => recordsByIds(db, ['1', '2']), 'accounts_pkey'],
  ['records by uri', (db) => recordsByUris(db, ['https://x']), 'accounts_uri'],
  ['records by page', (db) => recordsByPages(db, ['https://x/1']), 'accounts_page'],
  ['accounts by page', (db) => accountsByPage(db, 'https://x/1'), 'accounts_page'],
  ['records by handle', (db) => recordsByHandles(db, [{ username: 'a', domain: 'b' }]), 'accounts_handle'],
  ['accounts by uri', (db) => accountsByUris(db, ['https://x']), 'accounts_uri'],
  ['accounts by handle', (db) => accountsByHandles(db, [{ username: 'a', domain: 'b' }]), 'accounts_handle'],
  ['a token with its user', (db) => tokenWithUser(db, Buffer.alloc(32)), 'users_pkey'],
  ['a session with its user', (db) => userBySession(db, Buffer.alloc(32), limits), 'users_pkey'],
  [
    'a token of a grant',
    (db) => tokenOfGrant(db, { applicationId: '1', userId: '2', scopes: ['read'] }),
    'access_tokens_',
  ],
  ['whether a token has expired', (db) => isTokenExpired(db, at), 'access_tokens_expires_at'],
  ['grants of a user', (db) => grantsOf(db, '1'), 'access_tokens_grant'],
  ['sessions of a user', (db) => sessionsOf(db, '1', limits), 'sessions_user'],
  ['sign-ins of a user', (db) => attemptsOf(db, '1', { before: '900', limit: 40 }), 'sign_in_attempts_'],
  ['whether a network is new', (db) => isNewNetwork(db as Tx, '1', '192.0.2.1'), 'sign_ins_pkey'],
  ['a sign-in step', (db) => stepByDigest(db, Buffer.alloc(32), 'factor', at), 'sign_in_steps_pkey'],
  ['second factors of a user', (db) => factorsOf(db, '1'), 'security_keys_user'],
  ['a user by identity', (db) => userOfIdentity(db, 'openid_connect', 'x'), 'identities_pkey'],
  [
    'relationships of a viewer',
    (db) => relationshipsOfViewer(db, '1', ['2', '3'], at),
    'follows_account_id_target_id_key',
  ],
  [
    'relationships to an author',
    (db) => relationshipsToAuthor(db, '1', ['2', '3'], at),
    'follows_account_id_target_id_key',
  ],
  [
    'relationships',
    (db) => relationsOfViewer(db, '1', ['2'], { at, withSuspended: false }),
    'follows_account_id_target_id_key',
  ],
  [
    'the audience of an author',
    (db) => activeFollowers(db, '1', { after: '0', limit: 1_000, activeSince: at }),
    'follows_audience',
  ],
  [
    'the audience put together',
    (db) => audiencePage(db, '1', { after: '0', limit: 1_000, activeSince: at, now: at }),
    'follows_audience',
  ],
  ['lists that contain an author', (db) => listsContaining(db, '1', ['2', '3']), 'list_members_'],
  ['followees', (db) => followeesOf(db, '1'), 'follows_'],
  ['accounts with remote followers', (db) => followedElsewhere(db, ['1', '2']), 'follows_inboxes'],
  ['remote inboxes', (db) => inboxesOf(db, '1', { after: '', limit: 100 }), 'follows_inboxes'],
  [
    'remote inboxes without blocked servers',
    (db) => inboxesOf(db, '1', { after: '', limit: 100, unblockedBy: '2' }),
    'follows_inboxes',
  ],
  ['hosts of inboxes by domain', (db) => inboxHostsOf(db, 'host1.example'), 'accounts_domain'],
  ['hosts of inboxes by actor id', (db) => inboxHostsOf(db, 'host1.example'), 'accounts_web_host'],
  ['accounts by inbox', (db) => urisAtInbox(db, 'https://x/7000/inbox', 5), 'accounts_inbox'],
  ['inboxes of blockers', (db) => inboxesOfBlockers(db, '1', { after: '', limit: 100 }), 'blocks_to'],
  [
    'followers on a small server',
    (db) => followerUrisAt(db, '1', { origin: 'https://small.example', after: '0', limit: 5_001 }),
    'accounts_origin',
  ],
  ['followers', (db) => followPage(db, '3', 'followers', page, { viewer: '2', at }), 'follows_to'],
  ['followees as a page', (db) => followPage(db, '1', 'following', page, { viewer: null, at }), 'follows_'],
  ['requests', (db) => requestersOf(db, '1', page), 'follow_requests_to'],
  ['number of requests', (db) => countRequesters(db, '1', 40), 'follow_requests_to'],
  ['mutes', (db) => mutedBy(db, '1', page, at), 'mutes_'],
  ['a key of a remote actor', (db) => remoteKey(db, 'https://x#key'), 'remote_keys_pkey'],
  ['domains of stored accounts', (db) => countDomains(db), 'accounts_domain'],
  ['the directory, latest first', (db) => directoryPage(db, { ...listed, newest: true }), 'accounts_directory'],
  ['the directory by activity', (db) => directoryPage(db, listed), 'account_stats_last_status_at'],
  ['followees of followees', (db) => friendsOfFriends(db, '1', 40, at), 'follows_of'],
  ['most followed accounts', (db) => recommended(db, '1', 40, at), 'accounts_directory'],
  ['accounts that staff features', (db) => suggestableAmong(db, '1', ['2', '3'], at), 'accounts_directory'],
  ['search by name', (db) => searchAccounts(db, wish), 'account_search_words'],
  ['a window of accounts', (db) => accountWindow(db, { after: '5000', domains: [], limit: 500 }), 'accounts_pkey'],
  [
    'a window of accounts of servers',
    (db) => accountWindow(db, { after: '5000', domains: ['host1.example', 'host2.example'], limit: 100 }),
    'accounts_domain',
  ],
  ['accounts of a domain and those below it', (db) => accountsOfDomain(db, purged, START, 50), 'accounts_domain'],
  [
    'accounts whose actors are on a host',
    (db) => accountsOfDomain(db, purged, { ...START, by: 'address' }, 50),
    'accounts_web_host',
  ],
  ['follows of one account', (db) => relationsAfter(db, 'follows', ended), 'follows_to'],
  ['search by user name', (db) => searchAccounts(db, wish), 'accounts_handle'],
  ['search among followees', (db) => searchAccounts(db, { ...wish, following: true }), 'account_search'],
  [
    'search by name and domain',
    (db) => searchAccounts(db, { ...wish, domain: 'host7', unicodeDomains: ['xn--host7-kva.example'] }),
    'account_search_words',
  ],
  [
    'internationalised domains of a search',
    (db) => internationalDomains(db, [[...wish.phrases.flat(), ['xn']]]),
    'account_search_words',
  ],
  [
    'search among followees by name and own domain',
    (db) => searchAccounts(db, { ...wish, following: true, notOwnDomain: [[['name77*']]] }),
    'account_search',
  ],
]

test.each(hot)('an index serves the query: %s', async (_name, request, index) => {
  const plan = await plansOf(harness.db('accounts'), request)
  expect(plan).toContain(index)
  const scans = [...plan.matchAll(/Seq Scan on (\w+)/g)].map((match) => match[1] ?? '')
  expect(scans.filter((table) => !SMALL.includes(table))).toEqual([])
})

test('the numbers of users are counted without a join of all accounts', async () => {
  const plan = await plansOf(harness.db('accounts'), (db) => countAccounts(db, { month: at, halfyear: at }))
  expect(plan).toContain('accounts_suspended_local on accounts')
  expect(plan).not.toContain('Hash')
})

/** Opens a database with one connection, so that PostgreSQL may reuse plans of prepared statements. */
const withOneConnection = async <T>(work: (db: Database) => Promise<T>): Promise<T> => {
  const db = openDatabase({
    url: harness.env.DATABASE_URL ?? '',
    schema: 'accounts',
    connections: 1,
    statementTimeoutMs: 120_000,
  })
  return work(db).finally(() => db.close())
}

const byKeys: [string, (db: Reader) => Promise<unknown>, string][] = [
  ['accounts by id', (db) => accountsByIds(db, ['1', '2']), 'accounts_pkey'],
  ['accounts by uri', (db) => accountsByUris(db, ['https://x/1']), 'accounts_uri'],
  ['records by id', (db) => recordsByIds(db, ['1', '2']), 'accounts_pkey'],
  ['records by uri', (db) => recordsByUris(db, ['https://x/1']), 'accounts_uri'],
  ['refusals', (db) => refusalsBetween(db, ['1', '2'], ['1000'], at), 'blocks_'],
]

test.each(byKeys)('PostgreSQL keeps one plan for %s, which uses the index', async (_name, request, index) => {
  const plan = await withOneConnection((db) => keptPlansOf(db, request))
  expect(plan).toContain(index)
  expect(plan).not.toMatch(/Seq Scan on (?!roles)/)
})

test('the query of prunable accounts looks up each account in all large tables', async () => {
  const plan = await plansOf(harness.db('accounts'), (db) => prunableAccounts(db, '5000', '9000', 2_000))
  for (const index of ['accounts_pkey', 'account_stats_pkey', 'follows_to', 'follow_requests_to', 'blocks_to'])
    expect(plan).toContain(index)
  expect(plan).not.toMatch(/Seq Scan on (accounts|account_stats|follows|follow_requests|blocks)/)
})

test('the directory of local accounts sorts the few discoverable ones', async () => {
  const plan = await plansOf(harness.db('accounts'), (db) => directoryPage(db, { ...listed, local: true }))
  expect(plan).toContain('accounts_directory_local')
  expect(plan).not.toMatch(/Seq Scan on (accounts|account_stats)/)
})

test('each page of followers begins after the last follow of the previous one', async () => {
  const db = harness.db('accounts')
  const pageOf = (number: number, before?: string) => relationUris(db, '1', 'followers', { number, before, size: 12 })
  const [first, second, third] = [await pageOf(1), await pageOf(2), await pageOf(3)]
  expect(new Set([...first, ...second, ...third].map((row) => row.uri)).size).toBe(36)
  expect(await pageOf(1, first.at(-1)?.id)).toEqual(second)
  expect(await pageOf(90_000, second.at(-1)?.id)).toEqual(third)
  const plan = await plansOf(db, (tx) =>
    relationUris(tx, '1', 'followers', { number: 90_000, before: '5000', size: 12 }),
  )
  expect(plan).toMatch(/Index Cond: \(.*id < '5000'::bigint/)
})

test('relationships with a server are the same for few and for many stored accounts of it', async () => {
  const db = harness.db('accounts')
  await db.run(sql`insert into accounts (id, username, domain, uri, url, created_at)
    select n, 'l' || n, 'large.example', 'https://large.example/' || n, '', now() from generate_series(100001, 105100) n`)
  await db.run(sql`insert into follows (id, account_id, target_id, account_local, created_at)
    values (900001, 100007, 1, false, now()), (900002, 105099, 1, false, now()), (900003, 1, 100008, true, now())`)
  const origins = ['https://large.example', 'https://small.example', 'https://x', 'https://nobody.example']
  const counts = await Promise.all(
    origins.map(async (origin) => {
      const all = await db.rows(sql`select f.id, a.uri from follows f join accounts a on a.id = f.account_id
        where f.target_id = 1 and a.uri like ${`${origin}/%`} order by f.id`)
      expect(await followerUrisAt(db, '1', { origin, after: '0', limit: 100_000 })).toEqual(all)
      return all.length
    }),
  )
  expect(counts[0]).toBe(2)
  expect(counts[1]).toBeGreaterThan(0)
  const pairs = async (domain: string) =>
    (await relationsWithDomain(db, 'follows', '1', domain, 1_000)).map(({ from, to }) => `${from} ${to}`).sort()
  expect(await pairs('large.example')).toEqual(['1 100008', '100007 1', '105099 1'])
  const few = await db.rows<{
    from: string
    to: string
  }>(sql`select f.account_id as "from", f.target_id as "to" from follows f
    join accounts a on a.domain = 'host3.example' and a.id in (f.account_id, f.target_id) where 1 in (f.account_id, f.target_id)`)
  expect(few.length).toBeGreaterThan(0)
  expect(await pairs('host3.example')).toEqual(few.map(({ from, to }) => `${from} ${to}`).sort())
  expect(await countWithDomain(db, '1', 'large.example')).toEqual({ following_count: 1, followers_count: 2 })
})

test('every reference to an account has an index, so that its deletion is fast', async () => {
  const owner = openDatabase({
    url: harness.env.DATABASE_URL ?? '',
    schema: 'accounts',
    connections: 1,
    statementTimeoutMs: 120_000,
  })
  // The deletion of an account looks up every reference. A reference without an index causes a scan of its whole table.
  const bare =
    await owner.rows(sql`select c.conrelid::regclass::text as "table", a.attname as "column" from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'accounts'::regclass and not exists (select 1 from pg_index i
      where i.indrelid = c.conrelid and i.indkey[0] = c.conkey[1] and i.indpred is null)`)
  await owner.close()
  expect(bare).toEqual([])
})
