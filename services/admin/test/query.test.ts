/** Growing lists are read by an index. */
import { type Sql, sql } from '@murmuration/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bulkActionPageQuery, itemsAfterQuery } from '../src/bulk-action/store.js'
import { type ReportRow, reportPageQuery, sameReportQuery } from '../src/core/report.store.js'
import { type Harness, startHarness } from './harness.js'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
  await harness.cluster.fillTables(
    'admin',
    sql`insert into reports (id, account_id, target_account_id, category, action_taken_at, created_at, updated_at)
    select n, n % 5000, n % 3000, 'other', case when n % 50 = 0 then null else now() end, now(), now()
    from generate_series(1, 30000) as n`,
    sql`insert into domain_blocks (id, domain, severity, created_at)
    select n, 'server' || n || '.example', 'suspend', now() from generate_series(1, 20000) as n`,
    sql`insert into audit_log (id, action, target, created_at)
    select n, 'update_setting', 'x', now() from generate_series(1, 20000) as n`,
    sql`insert into bulk_actions (id, noun, action, notify, undoes, found, created_at)
    select n, 'account', 'silence', true, case when n % 2 = 0 then n - 1 end, 1, now() from generate_series(1, 2000) as n`,
    sql`insert into bulk_action_items (bulk_action_id, target_id)
    select 1 + n % 20, n from generate_series(1, 40000) as n`,
    sql`insert into tasks (id, kind, input, dry_run, state, next_at, created_at, updated_at)
    select n, 'bulk-action', '{}', false, 'done', now(), now(), now() from generate_series(1, 2000) as n`,
    sql`analyze`,
  )
})
afterAll(() => harness.cluster.stop())

const plan = async (query: Sql): Promise<string> => {
  const rows = await harness.cluster.db('admin').rows<{ 'QUERY PLAN': string }>({
    ...query,
    get text() {
      return `explain ${query.text}`
    },
    values: query.values,
  })
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

test.each([
  ['open reports', { which: 'open' }, 'reports_open'],
  ['open reports about one account', { which: 'open', target: '17' }, 'reports_open_of_target'],
  ['all reports about one account', { which: 'all', target: '17' }, 'reports_of_target'],
  ['reports of one account', { which: 'resolved', account: '17' }, 'reports_of_account'],
  ['all reports', { which: 'all' }, 'reports_pkey'],
] as const)('%s', async (_name, filter, index) => {
  const text = await plan(reportPageQuery(filter, { limit: 100 }))
  expect(text).toContain(index)
  expect(text).not.toContain('Seq Scan')
})

test('an earlier report with the same content is searched among the open reports of one day', async () => {
  const row = { target_account_id: '17', account_id: '5', comment: '', status_ids: ['1'], collection_ids: [] }
  const text = await plan(sameReportQuery(row as unknown as ReportRow, new Date(0)))
  expect(text).toMatch(/reports_open_of_target.*\n\s*Index Cond: .*target_account_id = .* AND .*id >= /)
})

test('the block of a host and its parents', async () => {
  const text = await plan(
    sql`select id from domain_blocks where domain = any(${['a.server7.example', 'server7.example', 'example']}) order by length(domain) desc limit 1`,
  )
  expect(text).toContain('domain_blocks_domain_key')
})

test('a page of the audit log', async () => {
  expect(
    await plan(sql`select id from audit_log where true and id < ${'500'}::bigint order by id desc limit 100`),
  ).toContain('audit_log_pkey')
})

test('a chunk of a bulk action', async () => {
  const text = await plan(itemsAfterQuery('7', '20000', 100))
  expect(text).toContain('bulk_action_items_pkey')
  expect(text).not.toContain('Seq Scan')
})

test('a page of bulk actions', async () => {
  const text = await plan(bulkActionPageQuery(['account', 'audit_entry'], { limit: 40 }))
  for (const index of ['bulk_actions_pkey', 'bulk_actions_undoes', 'tasks_pkey']) expect(text).toContain(index)
  expect(text).not.toContain('Seq Scan')
})
