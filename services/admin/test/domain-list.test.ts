/** Import, listing and export of blocks and allows by operators. */
import {
  createDomainAllowByOperator,
  createDomainBlockByOperator,
  exportDomainBlocks,
  findDomainAllows,
  findDomainBlocks,
  importDomainBlocks,
  listAuditLog,
  removeDomainAllowByOperator,
  removeDomainBlockByOperator,
} from '@murmuration/contracts/admin'
import { sql } from '@murmuration/db'
import { viewer } from '@murmuration/testkit'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Harness, startHarness, who } from './harness.js'

let harness: Harness
let call: Harness['cluster']['call']
beforeAll(async () => {
  harness = await startHarness()
  call = harness.cluster.call
})
afterAll(() => harness.cluster.stop())
afterEach(async () => {
  for (const { domain } of await blocks()) await call(removeDomainBlockByOperator, { domain })
  await harness.cluster.waitForIdle()
})

const COLUMNS = ['#domain', '#severity', '#reject_media', '#reject_reports', '#public_comment', '#obfuscate']
const ROWS = [
  ['spam.example', 'suspend', 'false', 'false', 'spam', 'false'],
  ['loud.example', 'silence', 'true', 'false', 'adult media, unmarked', 'true'],
  ['reports.example', 'noop', 'false', 'true', '', 'false'],
]
const blocks = async () => (await call(findDomainBlocks, {})).blocks
const bring = (rows: string[][], more: { columns?: string[] | null; dry_run?: boolean } = {}) =>
  call(importDomainBlocks, { columns: COLUMNS, rows, source: 'list.csv', dry_run: false, ...more })

test('moderation 5: the sample list is imported, and exported without the internal rule', async () => {
  const { results } = await bring(ROWS)
  expect(results.map((one) => [one.domain, one.outcome])).toEqual(ROWS.map(([domain]) => [domain, 'blocked']))
  expect((await blocks()).find((one) => one.domain === 'loud.example')).toMatchObject({
    severity: 'silence',
    reject_media: true,
    obfuscate: true,
    public_comment: 'adult media, unmarked',
    private_comment: expect.stringMatching(/^Imported from list\.csv on \d{4}-\d\d-\d\d$/),
  })
  const { rows, next } = await call(exportDomainBlocks, {})
  expect(rows).toEqual([COLUMNS, ROWS[1], ROWS[0]])
  expect(next).toBeNull()
  const { entries } = await call(listAuditLog, { limit: 3 })
  expect(entries.map((entry) => [entry.actor, entry.action])).toEqual(ROWS.map(() => [null, 'create_domain_block']))
})

test('moderation 5: a dry run reports the relationships that would end and changes nothing', async () => {
  const before = await call(listAuditLog, { limit: 1 })
  const { results } = await bring([['remote.example'], ['none.example']], { columns: null, dry_run: true })
  expect(results).toEqual([
    {
      domain: 'remote.example',
      severity: 'suspend',
      outcome: 'blocked',
      reason: null,
      existing: null,
      ties: { accounts: 2, following: 2, followers: 0 },
    },
    expect.objectContaining({ domain: 'none.example', ties: { accounts: 0, following: 0, followers: 0 } }),
  ])
  expect(await blocks()).toEqual([])
  expect(await call(listAuditLog, { limit: 1 })).toEqual(before)
})

test('moderation 5: domains with a block of their own or of a parent stay unchanged, invalid rows are reported, others are blocked', async () => {
  await call(createDomainBlockByOperator, { domain: 'known.example', severity: 'noop' })
  const { results } = await bring([
    ['known.example', 'suspend'],
    ['below.known.example', 'suspend'],
    ['no domain', 'suspend'],
    ['odd.example', 'forbid'],
    ['new.example', ''],
    ['NEW.example', 'silence'],
    ['a.new.example', 'silence'],
    ['münchen.example', 'silence'],
    [harness.cluster.env.LOCAL_DOMAIN ?? '', 'suspend'],
  ])
  expect(results.map((one) => one.outcome)).toEqual([
    'known',
    'known',
    'invalid',
    'invalid',
    'blocked',
    'known',
    'known',
    'blocked',
    'invalid',
  ])
  expect(results[2]?.reason).toContain('Domain is not a valid domain name')
  expect(results[3]?.reason).toContain('Severity is not included in the list')
  expect([0, 1, 5, 6].map((n) => results[n]?.existing)).toEqual([
    { domain: 'known.example', severity: 'noop' },
    { domain: 'known.example', severity: 'noop' },
    { domain: 'new.example', severity: 'suspend' },
    { domain: 'new.example', severity: 'suspend' },
  ])
  expect((await blocks()).map((one) => [one.domain, one.severity])).toEqual([
    ['known.example', 'noop'],
    ['new.example', 'suspend'],
    ['xn--mnchen-3ya.example', 'silence'],
  ])
})

test('moderation 1: accounts of an imported domain are suspended, and removal of the block ends that', async () => {
  await bring([['remote.example', 'suspend']])
  await harness.cluster.waitForIdle()
  expect(who(harness, '201').suspended).not.toBeNull()
  expect(who(harness, '202').suspended).toBe(who(harness, '201').suspended)
  await call(removeDomainBlockByOperator, { domain: 'Remote.example' })
  await harness.cluster.waitForIdle()
  expect(who(harness, '201').suspended).toBeNull()
  await expect(call(removeDomainBlockByOperator, { domain: 'remote.example' })).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('the pages of a list are one bulk action in the audit log, of the account that imported it', async () => {
  const mona = viewer('11')
  const page = (rows: string[][], more = {}) =>
    call(importDomainBlocks, { columns: COLUMNS, rows, source: 'list.csv', ...more }, mona)
  expect((await page([ROWS[0]!], { dry_run: true })).batch_id).toBeNull()
  const first = await page([ROWS[0]!])
  const second = await page([ROWS[1]!], { batch_id: first.batch_id ?? '' })
  const third = await page([ROWS[1]!])
  expect([second.batch_id, third.batch_id]).toEqual([first.batch_id, null])
  const { entries } = await call(listAuditLog, { limit: 2 })
  expect(entries.map((one) => [one.actor, one.target, one.batch_id])).toEqual([
    ['11', 'loud.example', first.batch_id],
    ['11', 'spam.example', first.batch_id],
  ])
  expect(entries[0]?.reason).toMatch(/^Imported from list\.csv on /)
})

test('a page of a list does not join the batch of other staff, of another action, or one that does not exist', async () => {
  const [mona, other] = [viewer('11'), viewer('12')]
  const page = (domain: string, batch_id?: string, by = mona) =>
    call(importDomainBlocks, { rows: [[domain]], ...(batch_id && { batch_id }) }, by)
  const first = await page('one.example')
  const refused = { status: 422, message: 'Validation failed: Batch is not of an earlier page of the list' }
  await expect(page('two.example', first.batch_id ?? '', other)).rejects.toMatchObject(refused)
  await expect(page('two.example', '7')).rejects.toMatchObject(refused)
  await harness.cluster
    .db('admin')
    .run(
      sql`insert into audit_log (id, actor_id, action, target, created_at, batch_id) values (9, 11, 'silence_account', 'x', now(), 8)`,
    )
  await expect(page('two.example', '8')).rejects.toMatchObject(refused)
  expect((await blocks()).map((one) => one.domain)).toEqual(['one.example'])
})

test('a list that is imported twice at the same time blocks each domain once', async () => {
  const rows = Array.from({ length: 50 }, (_, n) => [`n${n}.example`, 'silence'])
  const both = await Promise.all([bring(rows), bring(rows)])
  const made = both.flatMap(({ results }) => results.filter((one) => one.outcome === 'blocked'))
  expect(made).toHaveLength(50)
  expect(await blocks()).toHaveLength(50)
})

test('moderation 1: an operator creates and changes a block, and the log has no actor', async () => {
  const made = await call(createDomainBlockByOperator, {
    domain: 'remote.example',
    severity: 'silence',
    reject_media: true,
  })
  const changed = await call(createDomainBlockByOperator, {
    domain: 'REMOTE.example',
    severity: 'suspend',
    public_comment: 'no',
  })
  expect(changed).toEqual({ ...made, severity: 'suspend', public_comment: 'no' })
  const { entries } = await call(listAuditLog, { limit: 1 })
  expect(entries[0]).toMatchObject({ actor: null, action: 'update_domain_block', before: made, after: changed })
  await harness.cluster.waitForIdle()
  expect(who(harness, '201')).toMatchObject({ silenced: null, suspended: made.created_at })
})

test('the pages of the list are in order of domains and complete', async () => {
  await bring(Array.from({ length: 5 }, (_, n) => [`n${n}.example`, 'silence']))
  const first = await call(findDomainBlocks, { limit: 3 })
  const second = await call(findDomainBlocks, { limit: 3, after: first.next ?? '' })
  expect([...first.blocks, ...second.blocks].map((one) => one.domain)).toEqual(
    Array.from({ length: 5 }, (_, n) => `n${n}.example`),
  )
  expect(second.next).toBeNull()
})

test('moderation 4: operators allow servers once, and remove the allow', async () => {
  const place = (...domains: string[]) => call(createDomainAllowByOperator, { domains })
  expect((await place('Good.example', 'good.example', 'no domain', 'b.example')).results).toEqual([
    { domain: 'good.example', outcome: 'allowed' },
    { domain: 'good.example', outcome: 'known' },
    { domain: 'no domain', outcome: 'invalid' },
    { domain: 'b.example', outcome: 'allowed' },
  ])
  expect((await call(findDomainAllows, {})).allows.map((one) => one.domain)).toEqual(['b.example', 'good.example'])
  await expect.poll(() => harness.ctx.policy.allows('good.example')).toBe(true)
  await call(removeDomainAllowByOperator, { domain: 'GOOD.example' })
  await expect.poll(() => harness.ctx.policy.allows('good.example')).toBe(false)
  await expect(call(removeDomainAllowByOperator, { domain: 'good.example' })).rejects.toMatchObject({
    code: 'not_found',
  })
  const { entries } = await call(listAuditLog, { limit: 3 })
  expect(entries.map((entry) => [entry.action, entry.target])).toEqual([
    ['destroy_domain_allow', 'good.example'],
    ['create_domain_allow', 'b.example'],
    ['create_domain_allow', 'good.example'],
  ])
})

test('lists are read by an index', async () => {
  const plan = await harness.cluster
    .db('admin')
    .rows<Record<string, string>>(sql`explain select * from domain_blocks where domain > 'm' order by domain limit 500`)
  expect(JSON.stringify(plan)).toContain('domain')
})
