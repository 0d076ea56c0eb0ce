/** Tests that queries of collections, moves and imports use indexes on large tables. */
import { sql, type Tx } from '@murmuration/db'
import { plansOf } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteItemsBetween, itemsOf } from '../src/collection/item.store.js'
import { collectionsContaining, collectionsKeptBy } from '../src/collection/store.js'
import { localRelationsTo } from '../src/core/follow/store.js'
import { exportedBlocks, exportedDomains, exportedFollows, exportedLists, exportedMutes } from '../src/export/store.js'
import { dueRows, importRowsAfter, importsOf, nextDue } from '../src/import/store.js'
import { copyNotes, moversOf, movesOf, refusersOf } from '../src/migration/store.js'
import { deleteDecisionsOfOrder, dropOrdersBelow, otherOrders } from '../src/moderation/domain.store.js'
import { applyRestriction } from '../src/moderation/store.js'
import { targetByActivity } from '../src/relationship/activity.store.js'
import { takeStoredDecisions } from '../src/remote-account/decision.store.js'
import { severancesOf, severedOf } from '../src/severance/store.js'
import { tiesOf } from '../src/statistics/domain.store.js'
import { type Harness, startAccounts } from './harness.js'

let harness: Harness
beforeAll(async () => {
  harness = await startAccounts()
  await harness.fillTables(
    'accounts',
    sql`insert into accounts (id, username, domain, uri, url, created_at)
    select n, 'name' || n, case when n > 4000 then 'host' || n % 50 || '.example' end, 'https://x/' || n, 'https://x/@' || n, now()
    from generate_series(1, 12000) n`,
    sql`insert into follows (id, account_id, target_id, account_local, created_at)
    select row_number() over (), f, t, f <= 4000, now() from (select f, 1 + (f * 7 + k * 13) % 12000 as t
      from generate_series(1, 4000) f, generate_series(1, 8) k) pairs where f <> t`,
    sql`insert into follow_requests (id, account_id, target_id, account_local, created_at)
    select n, n, 1 + n % 300, false, now() from generate_series(1000, 9000) n`,
    sql`insert into blocks (id, account_id, target_id, created_at)
    select n, 1 + n % 400, n, now() from generate_series(1000, 9000) n`,
    sql`insert into mutes (id, account_id, target_id, notifications, created_at)
    select n, 1 + n % 400, n, true, now() from generate_series(1000, 9000) n`,
    sql`insert into notes (account_id, target_id, comment)
    select 1 + n % 400, n, 'x' from generate_series(1000, 9000) n`,
    sql`insert into domain_blocks (id, account_id, domain, created_at)
    select n, 1 + n % 400, 'd' || n, now() from generate_series(1, 9000) n`,
    sql`insert into lists (id, account_id, title, created_at)
    select n, 1 + n % 2000, 'list', now() from generate_series(1, 6000) n`,
    sql`insert into list_members (list_id, member_id, owner_id)
    select n, m * 100 + n % 50 + 1, 1 + n % 2000 from generate_series(1, 6000) n, generate_series(1, 5) m`,
    sql`insert into collections (id, account_id, name, created_at, updated_at)
    select n, 1 + n % 3000, 'c', now(), now() from generate_series(1, 6000) n`,
    sql`insert into collection_items (id, collection_id, account_id, state, created_at)
    select row_number() over (), n, m * 100 + n % 90 + 1, 'accepted', now()
    from generate_series(1, 6000) n, generate_series(1, 8) m`,
    sql`insert into moves (id, account_id, target_id, followers, created_at)
    select n, 1 + n % 3000, n, 0, now() from generate_series(1, 6000) n`,
    sql`insert into imports (id, account_id, kind, overwrite, state, name, total, created_at)
    select n, 1 + n % 3000, 'follows', false, 'running', '', 9, now() from generate_series(1, 3000) n`,
    sql`insert into import_rows (import_id, n, cells, key, state)
    select i, n, '{x}', 'x' || n, case when n % 10 = 0 then 'failed' else 'imported' end
    from generate_series(1, 3000) i, generate_series(1, 20) n`,
    sql`insert into severances (id, account_id, kind, target_name, cause, following_count, followers_count, created_at)
    select n, 1 + n % 3000, 'domain_block', 'x', 'c' || n, 1, 1, now() from generate_series(1, 6000) n`,
    sql`insert into severed_follows (severance_id, following, address, reblogs, notify)
    select s, true, 'a' || n, true, false from generate_series(1, 6000) s, generate_series(1, 6) n`,
    sql`insert into suspended_actors (uri, suspended_at, suspended_by)
    select 'https://host/' || n, now(), 'stamp ' || n % 100 from generate_series(1, 9000) n`,
    sql`insert into actor_decisions (uri, domain, silenced_at, silenced_by)
    select 'https://host/' || n, 'host', now(), 'stamp ' || n % 100 from generate_series(1, 9000) n`,
    sql`insert into domain_measures (domain, measure, stamp, "order", action, action_order)
    select 'd' || n || '.example', measure, 'stamp', n, 'suspend', n
    from generate_series(1, 9000) n, unnest(array['suspended', 'silenced']) measure`,
    sql`insert into day_counts (metric, key, day, value)
    select metric, 'elpmaxe.' || n % 500, date '2020-01-01' + n, 1
    from generate_series(1, 6000) n, unnest(array['account', 'follow', 'follower']) metric`,
    sql`insert into day_count_totals (metric, key, value)
    select metric, 'elpmaxe.' || n % 500 || '.' || n, 1
    from generate_series(1, 6000) n, unnest(array['account', 'follow', 'follower']) metric`,
    sql`analyze`,
  )
})
afterAll(() => harness.stop())

const slice = { limit: 40, offset: 0 }
const page = { after: '0', limit: 200 }
const exportPage = { account: '7', after: '0', limit: 1_000 }
const here = 'here.example'
const removed = (measure: 'suspended' | 'silenced') => ({ domain: 'd7.example', measure, stamp: 'stamp 7' })

test.each<[string, (db: Tx) => Promise<unknown>]>([
  ['follows to renew', (db) => localRelationsTo(db, 'follows', '7', { after: '0', limit: 100 })],
  ['requests to renew', (db) => localRelationsTo(db, 'follow_requests', '7', { after: '0', limit: 100 })],
  [
    'accounts of a domain that staff suspends',
    (db) =>
      applyRestriction(
        db,
        'suspended',
        { domain: 'host1.example' },
        { stamp: 'x', at: new Date(), weaker: null, limit: 500, after: null },
      ),
  ],
  ['suspensions by a removed block', (db) => deleteDecisionsOfOrder(db, removed('suspended'))],
  ['limits by a removed block', (db) => deleteDecisionsOfOrder(db, removed('silenced'))],
  ['other blocks of a domain and its subdomains', (db) => otherOrders(db, removed('suspended'))],
  ['orders of a removed block for subdomains', (db) => dropOrdersBelow(db, removed('suspended'))],
  [
    'decisions about a removed account',
    (db) => takeStoredDecisions(db, { uri: 'https://a.d7.example/u', domain: 'd7.example' }),
  ],
  ['the relationship of an activity', (db) => targetByActivity(db, '7', 'https://x/follows/1')],
  ['collections of an owner', (db) => collectionsKeptBy(db, '7', false, slice)],
  ['collections that contain an account', (db) => collectionsContaining(db, '107', slice)],
  ['items of a page of collections', (db) => itemsOf(db, ['1', '2', '3'], '9')],
  ['items between two accounts with a block', (db) => deleteItemsBetween(db, [{ from: '7', to: '107' }])],
  ['followers to carry over', (db) => moversOf(db, '7', { id: '8000', domain: 'host1.example' }, page)],
  ['notes to carry over', (db) => copyNotes(db, '2000', '8000', page)],
  ['blocks to carry over', (db) => refusersOf(db, 'blocks', '2000', '8000', page)],
  ['mutes to carry over', (db) => refusersOf(db, 'mutes', '2000', '8000', page)],
  ['moves of an account', (db) => movesOf(db, '7')],
  ['follows to export', (db) => exportedFollows(db, here, exportPage)],
  ['blocks to export', (db) => exportedBlocks(db, here, exportPage)],
  ['mutes to export', (db) => exportedMutes(db, here, exportPage, new Date())],
  ['domain blocks to export', (db) => exportedDomains(db, exportPage)],
  ['lists to export', (db) => exportedLists(db, here, exportPage)],
  ['imports of an account', (db) => importsOf(db, '7')],
  ['due rows of an import', (db) => dueRows(db, '7', new Date(), 10)],
  ['time of the next due row of an import', (db) => nextDue(db, '7')],
  ['failed rows of an import', (db) => importRowsAfter(db, '7', 'failed', 0, 1_000)],
  ['severances of an account', (db) => severancesOf(db, '7')],
  ['relationships with domains', (db) => tiesOf(db, ['host1.example', 'example.org'])],
  ['severed follows of a severance', (db) => severedOf(db, '7', true, { after: '', limit: 1_000 })],
])('an index serves the query: %s', async (_name, request) => {
  expect(await plansOf(harness.db('accounts'), request)).not.toMatch(/Seq Scan/)
})

test('follows of a domain with very many accounts are read from counters', async () => {
  const db = harness.db('accounts')
  await db.run(sql`insert into accounts (id, username, domain, uri, url, created_at)
    select n, 'large' || n, 'large' || n % 3 || '.large.example', 'https://large/' || n, 'https://large/@' || n, now()
    from generate_series(100001, 110000) n`)
  await db.run(sql`insert into day_counts (metric, key, day, value) values
    ('follow', 'elpmaxe.egral', '2026-01-01', 20), ('follow', 'elpmaxe.egral.1egral', '2026-01-02', 3),
    ('follow', 'elpmaxe.egralx', '2026-01-01', 9), ('follower', 'elpmaxe.egral.0egral', '2026-01-01', 12000)`)
  expect(await tiesOf(db, ['large.example', 'large1.large.example'])).toEqual([
    { accounts: 10_000, following: 23, followers: 10_000 },
    { accounts: 3_333, following: 0, followers: 0 },
  ])
})
