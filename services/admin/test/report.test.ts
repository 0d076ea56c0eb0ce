/** Reports: filed by accounts and servers, read and resolved by moderators. */
import { randomUUID } from 'node:crypto'
import { connectBus } from '@murmuration/bus'
import {
  assignReportToSelf,
  createDomainBlock,
  createReport,
  createRule,
  listAdminReports,
  listAuditLog,
  removeRule,
  reopenReport,
  resolveReport,
  showAdminReport,
  unassignReport,
  updateAdminReport,
} from '@murmuration/contracts/admin'
import type { Viewer } from '@murmuration/contracts/kit'
import { sql } from '@murmuration/db'
import { createSendRequest, decodeResponse, derive } from '@murmuration/kernel'
import { holding } from '@murmuration/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { announceFlag } from './fake-federation.js'
import { as } from './fixtures.js'
import { expectGolden } from './golden.js'
import { type Harness, startHarness, who } from './harness.js'

let harness: Harness
let call: Harness['cluster']['call']
let alice: Viewer
let mona: Viewer
const rules: string[] = []
beforeAll(async () => {
  harness = await startHarness()
  call = harness.cluster.call
  alice = as(who(harness, '101'))
  mona = as(who(harness, '11'))
  for (const text of ['Be kind', 'No spam', 'Gone']) rules.push((await call(createRule, { text })).id)
  await call(removeRule, { id: rules[2] ?? '' })
  const { statuses } = harness.fixtures
  statuses.set('1001', { author: '201', hidden: false, answers: '203' })
  statuses.set('1002', { author: '201', hidden: false, answers: '101' })
  statuses.set('1003', { author: '201', hidden: true, answers: null })
  statuses.set('2001', { author: '102', hidden: false, answers: null })
})
afterAll(() => harness.cluster.stop())
beforeEach(() =>
  harness.cluster.db('admin').run(sql`with r as (delete from reports), a as (delete from audit_log),
    k as (delete from idempotency_keys) delete from outbox`),
)

const announced = async (what: string) =>
  (
    await harness.cluster
      .db('admin')
      .rows<{ data: string }>(sql`select data from outbox where subject = ${`evt.admin.report.${what}`} order by id`)
  ).map((row) => JSON.parse(row.data))
const filed = () => announced('filed')
const report = (input: object, by = alice) => call(createReport, input, by)

test('S-126 a report has its category, rules and statuses, and is announced as admin.report.filed', async () => {
  const made = await report({
    account_id: '201',
    status_ids: ['1001', '1002'],
    comment: ' Rude ',
    category: 'spam',
    rule_ids: [rules[1], rules[0]],
  })
  expect(made).toMatchObject({ category: 'violation', comment: 'Rude', forwarded: false, action_taken: false })
  expect(made.status_ids).toEqual(['1002', '1001'])
  await expectGolden('report', made, harness.cluster.origin, {
    id: made.id,
    kind: rules[0] ?? '',
    spam: rules[1] ?? '',
  })
  expect(await filed()).toEqual([
    {
      id: made.id,
      reporter: '101',
      target: '201',
      statusIds: ['1002', '1001'],
      ruleIds: [rules[1], rules[0]],
      collectionIds: [],
      comment: 'Rude',
      category: 'violation',
      createdAt: made.created_at,
      forward: [],
      first: true,
    },
  ])
})

test('S-025 a report can contain collections of the account, which are stored and returned', async () => {
  harness.fixtures.collections.set('7', '201').set('8', '102')
  const made = await report({ account_id: '201', collection_ids: ['7'] })
  expect(made.collection_ids).toEqual(['7'])
  const rows = await harness.cluster.db('admin').rows(sql`select collection_ids from reports where id = ${made.id}`)
  expect(rows).toEqual([{ collection_ids: ['7'] }])
})

test('a report requires only the account', async () => {
  expect(await report({ account_id: '102' })).toMatchObject({
    category: 'other',
    comment: '',
    status_ids: [],
    rule_ids: null,
    collection_ids: [],
  })
})

test.each([
  ['nobody', {}],
  ['an unknown account', { account_id: '999' }],
  ['somebody who did not confirm', { account_id: '103' }],
  ['a status of somebody else', { account_id: '201', status_ids: ['1001', '2001'] }],
  ['A060 a status that cannot be seen', { account_id: '201', status_ids: ['1003'] }],
  ['an unknown status', { account_id: '201', status_ids: ['77'] }],
  ['a collection of somebody else', { account_id: '201', collection_ids: ['8'] }],
  ['an unknown collection', { account_id: '201', collection_ids: ['5'] }],
])('%s is not found', async (_what, input) => {
  await expect(report(input)).rejects.toMatchObject({ code: 'not_found', message: 'Record not found' })
})

test('a suspended account is not found', async () => {
  who(harness, '102').suspended = 'staff'
  await expect(report({ account_id: '102' })).rejects.toMatchObject({ code: 'not_found' })
  who(harness, '102').suspended = null
})

test.each([
  [{ category: 'rude' }, 'Category is not included in the list'],
  [{ comment: 'x'.repeat(1_001) }, 'Comment is too long (maximum is 1000 characters)'],
  [{ rule_ids: ['5'] }, 'Rule ids does not reference valid rules'],
])('a report that says too much or the wrong thing is refused: %#', async (more, problem) => {
  await expect(report({ account_id: '102', ...more })).rejects.toMatchObject({
    code: 'unprocessable',
    message: `Validation failed: ${problem}`,
  })
})

test.each([[{ comment: 'x'.repeat(1_001) }], [{ category: 'rude' }], [{ rule_ids: ['5'] }]])(
  'a missing status is reported before an invalid report: %#',
  async (invalid) => {
    for (const missing of [{ status_ids: ['5'] }, { collection_ids: ['5'] }])
      await expect(report({ account_id: '102', ...missing, ...invalid })).rejects.toMatchObject({ code: 'not_found' })
  },
)

test('a removed rule can no longer be reported', async () => {
  await expect(report({ account_id: '102', rule_ids: [rules[2]] })).rejects.toMatchObject({
    message: 'Validation failed: Rule ids does not reference valid rules',
  })
})

test('a report is forwarded to the server of the account, and on request to servers of authors it replied to', async () => {
  const forwards = async (more: object) => {
    const made = await report({ account_id: '201', status_ids: ['1001', '1002'], ...more })
    return [made.forwarded, (await filed()).at(-1).forward]
  }
  expect(await forwards({ forward: 'true' })).toEqual([true, ['remote.example']])
  expect(
    await forwards({ forward: true, forward_to_domains: ['other.example', 'remote.example', 'x.example'] }),
  ).toEqual([true, ['remote.example', 'other.example']])
  expect(await forwards({ forward: true, forward_to_domains: ['x.example'] })).toEqual([false, []])
  expect(await forwards({ forward: '0', forward_to_domains: ['remote.example'] })).toEqual([false, []])
  expect(await forwards({ account_id: '102', status_ids: ['2001'], forward: true })).toEqual([false, []])
})

test('staff is notified once while a report about an account is open, also with simultaneous reports', async () => {
  await Promise.all(Array.from({ length: 6 }, () => report({ account_id: '102' })))
  expect((await filed()).filter((one) => one.first)).toHaveLength(1)
  for (const { id } of await call(listAdminReports, {}, mona)) await call(resolveReport, { id }, mona)
  await report({ account_id: '102' })
  expect((await filed()).filter((one) => one.first)).toHaveLength(2)
})

test('one idempotency key creates one report, also with simultaneous requests; another account or hour creates another', async () => {
  const operator = await connectBus({
    url: harness.cluster.nats.url,
    service: 'operator',
    name: 'report test',
    password: derive({ secretKeyBase: harness.cluster.env.SECRET_KEY_BASE ?? '' }, 'bus:operator'),
  })
  const sendRequest = createSendRequest(operator)
  const keyed = async (key: string, by: Viewer) => {
    const answer = await sendRequest(createReport, JSON.stringify(createReport.input.parse({ account_id: '201' })), {
      remainingMs: 5_000,
      caller: { viewer: by, app: null, ip: null, userAgent: null },
      requestId: randomUUID(),
      commandId: null,
      idempotencyKey: key,
      locale: 'en',
      traceparent: '',
    })
    return (decodeResponse(createReport, answer) as { id: string }).id
  }
  const ids = await Promise.all(Array.from({ length: 5 }, () => keyed('key', alice)))
  expect(new Set(ids).size).toBe(1)
  expect(await keyed('key', alice)).toBe(ids[0])
  expect(await keyed('key', as(who(harness, '102')))).not.toBe(ids[0])
  harness.ctx.clock.moveTo(3_700_000)
  expect(await keyed('key', alice)).not.toBe(ids[0])
  harness.ctx.clock.moveTo(0)
  expect(await filed()).toHaveLength(3)
  await operator.close()
})

test('S-025 a moderator sees a report with its accounts, statuses and rules', async () => {
  const made = await report({ account_id: '201', status_ids: ['1001'], rule_ids: [rules[0]], comment: 'Look' })
  const shown = await call(showAdminReport, { id: made.id }, mona)
  expect(shown.statuses.map((status) => status.id)).toEqual(['1001'])
  await expectGolden('admin-report', shown, harness.cluster.origin, { id: made.id, kind: rules[0] ?? '' })
  expect(await call(listAdminReports, {}, mona)).toEqual([shown])
  await expect(call(showAdminReport, { id: '5' }, mona)).rejects.toMatchObject({ code: 'not_found' })
})

test('S-025 assignment, its removal, resolving and reopening are logged and safe to repeat', async () => {
  const { id } = await report({ account_id: '201' })
  const ada = as(who(harness, '12'))
  expect((await call(assignReportToSelf, { id }, mona)).assigned_account?.id).toBe('11')
  expect((await call(unassignReport, { id }, mona)).assigned_account).toBeNull()
  const done = await call(resolveReport, { id }, mona)
  expect(done).toMatchObject({ action_taken: true, action_taken_by_account: { id: '11' } })
  const again = await call(resolveReport, { id }, ada)
  expect(again).toMatchObject({ action_taken_at: done.action_taken_at, action_taken_by_account: { id: '11' } })
  expect(await call(reopenReport, { id }, mona)).toMatchObject({
    action_taken: false,
    action_taken_at: null,
    action_taken_by_account: null,
  })
  const { entries } = await call(listAuditLog, {})
  expect(entries.map((one) => [one.actor, one.action, one.target_id])).toEqual([
    ['11', 'reopen_report', id],
    ['12', 'resolve_report', id],
    ['11', 'resolve_report', id],
    ['11', 'unassigned_report', id],
    ['11', 'assigned_to_self_report', id],
  ])
  const settled = { id, category: 'other', ruleIds: [], actionTakenAt: done.action_taken_at }
  expect(await announced('changed')).toEqual([settled, settled, { ...settled, actionTakenAt: null }])
  for (const operation of [assignReportToSelf, unassignReport, resolveReport, reopenReport])
    await expect(call(operation, { id: '5' }, mona)).rejects.toMatchObject({ code: 'not_found' })
})

test('S-155 the category and rules of a report can be changed, and are logged before and after', async () => {
  const { id } = await report({ account_id: '201', category: 'spam' })
  const changed = await call(updateAdminReport, { id, category: 'violation', rule_ids: [rules[0]] }, mona)
  expect(changed).toMatchObject({ category: 'violation', rules: [{ id: rules[0], text: 'Be kind' }] })
  const refused = (input: object) =>
    call(updateAdminReport, { id, ...input }, mona).then(
      () => 'done',
      (error) => error.message,
    )
  expect(await refused({ category: 'spam' })).toBe('Validation failed: Rule ids must be blank')
  expect(await refused({ rule_ids: ['5'] })).toBe('Validation failed: Rule ids does not reference valid rules')
  expect(await refused({ category: 'rude' })).toBe('Validation failed: Category is not included in the list')
  expect(await refused({ category: 'legal', rule_ids: [] })).toBe('done')
  const { entries } = await call(listAuditLog, { limit: 1 })
  expect(entries[0]).toMatchObject({
    action: 'update_report',
    before: { category: 'violation', rule_ids: [rules[0]] },
    after: { category: 'legal', rule_ids: [] },
  })
  expect(await announced('changed')).toEqual([
    { id, category: 'violation', ruleIds: [rules[0]], actionTakenAt: null },
    { id, category: 'legal', ruleIds: [], actionTakenAt: null },
  ])
})

test('S-025 lists have open reports by default, and filters for reporter and target', async () => {
  const bob = as(who(harness, '102'))
  const first = await report({ account_id: '201' })
  const second = await report({ account_id: '102' })
  const third = await report({ account_id: '201' }, bob)
  await call(resolveReport, { id: first.id }, mona)
  const ids = async (input: object) => (await call(listAdminReports, input, mona)).map((one) => one.id)
  expect(await ids({})).toEqual([third.id, second.id])
  expect(await ids({ resolved: 'true' })).toEqual([first.id])
  expect(await ids({ unresolved: 'true' })).toEqual([third.id, second.id])
  expect(await ids({ resolved: '1', unresolved: '1' })).toEqual([third.id, second.id, first.id])
  expect(await ids({ resolved: '1', unresolved: '1', account_id: '101' })).toEqual([second.id, first.id])
  expect(await ids({ target_account_id: '201' })).toEqual([third.id])
  expect(await ids({ limit: 1, max_id: third.id })).toEqual([second.id])
  expect(await ids({ limit: 1, min_id: second.id })).toEqual([third.id])
})

test('a page of reports sends one request to each service, and shows at most 20 statuses of each report', async () => {
  for (let i = 0; i < 30; i++)
    harness.fixtures.statuses.set(String(5_000 + i), { author: '201', hidden: false, answers: null })
  const many = Array.from({ length: 30 }, (_, i) => String(5_000 + i))
  const { id } = await report({ account_id: '201', status_ids: many })
  for (let i = 0; i < 6; i++) await report({ account_id: '201', status_ids: many.slice(0, 3) })
  harness.fixtures.asked.length = 0
  const page = await call(listAdminReports, {}, mona)
  expect(page).toHaveLength(7)
  expect(page.at(-1)?.statuses).toHaveLength(20)
  expect(harness.fixtures.asked.map((one) => one.operation).sort()).toEqual([
    'accounts.account.admin-records',
    'statuses.render.by-ids',
  ])
  expect((await call(showAdminReport, { id }, mona)).statuses).toHaveLength(30)
})

const flag = (more: object = {}) => ({
  uri: `https://other.example/flags/${randomUUID()}`,
  domain: 'other.example',
  actor: '203',
  target: '102',
  statusUris: ['https://here.example/statuses/2001', 'https://here.example/statuses/1001'],
  comment: 'They are rude',
  ...more,
})

test('a report of another server is stored once, with those statuses that the target wrote', async () => {
  const one = flag()
  await call(announceFlag, { flag: one })
  await call(announceFlag, { flag: one })
  await harness.cluster.waitForIdle()
  const [shown, ...more] = await call(listAdminReports, {}, mona)
  expect(more).toEqual([])
  expect(shown).toMatchObject({
    category: 'other',
    comment: 'They are rude',
    account: { id: '203' },
    target_account: { id: '102' },
    statuses: [{ id: '2001' }],
  })
  expect(await filed()).toMatchObject([{ reporter: '203', forward: [], first: true }])
})

test('reports of another server with different content are stored under one id, each once', async () => {
  const first = flag()
  const second = { ...first, statusUris: [] }
  const third = { ...first, comment: 'They are rude again' }
  for (const one of [first, second, third, third, second, first]) await call(announceFlag, { flag: one })
  await harness.cluster.waitForIdle()
  const reports = await call(listAdminReports, {}, mona)
  expect(reports.map((one) => [one.statuses.length, one.comment]).sort()).toEqual([
    [0, 'They are rude'],
    [1, 'They are rude'],
    [1, 'They are rude again'],
  ])
})

test('two reports of another server that are received together under one id are both stored', async () => {
  const db = harness.cluster.db('admin')
  const uri = 'https://other.example/actor#flag'
  const held = await holding(
    db,
    sql`insert into reports (id, uri, account_id, target_account_id, target_domain, status_ids, rule_ids, category,
      comment, forwarded, created_at, updated_at) values (7, ${uri}, 203, 101, '', '{}', '{}', 'other', '', false, now(), now())`,
  )
  await call(announceFlag, { flag: flag({ uri }) })
  await held.queued(1)
  await held.letGo()
  await harness.cluster.waitForIdle()
  const targets = (await call(listAdminReports, {}, mona)).map((one) => one.target_account.id)
  expect(targets.sort()).toEqual(['101', '102'])
  expect(await filed()).toMatchObject([{ target: '102' }])
})

test('S-025 a report of another server can contain collections of the target', async () => {
  await call(announceFlag, { flag: flag({ collectionIds: ['7'] }) })
  await harness.cluster.waitForIdle()
  const [shown] = await call(listAdminReports, {}, mona)
  const rows = await harness.cluster.db('admin').rows(sql`select collection_ids from reports where id = ${shown?.id}`)
  expect(rows).toEqual([{ collection_ids: ['7'] }])
})

test('I5 reports without an id are stored separately', async () => {
  for (const comment of ['one', 'two']) await call(announceFlag, { flag: flag({ uri: null, comment }) })
  await harness.cluster.waitForIdle()
  const reports = await call(listAdminReports, {}, mona)
  expect(reports.map((one) => one.comment).sort()).toEqual(['one', 'two'])
})

test('I5 a report without an id that repeats one of the same day is stored once', async () => {
  const first = flag({ uri: null, comment: 'twice', collectionIds: ['7'] })
  const changed = [{ comment: 'once' }, { statusUris: [] }, { collectionIds: [] }, { actor: '201' }, { target: '101' }]
  const send = async (...flags: object[]) => {
    for (const one of flags) {
      await call(announceFlag, { flag: one as typeof first })
      await harness.cluster.waitForIdle()
    }
    return (await call(listAdminReports, {}, mona)).length
  }
  expect(await send(first, first, { ...first, statusUris: first.statusUris.toReversed() })).toBe(1)
  expect(await filed()).toHaveLength(1)
  const others = changed.map((it) => ({ ...first, ...it }))
  expect(await send(...others)).toBe(1 + changed.length)
  await harness.cluster.db('admin').run(sql`update reports set created_at = created_at - interval '25 hours'`)
  expect(await send(first, first)).toBe(2 + changed.length)
  // A report with an id never repeats one without.
  expect(await send({ ...first, uri: 'https://other.example/flags/own' })).toBe(3 + changed.length)
})

test('I5 a report without an id that is sent again after the first was resolved is stored', async () => {
  const again = { flag: flag({ uri: null, comment: 'still there' }) }
  const send = async () => {
    await call(announceFlag, again)
    await harness.cluster.waitForIdle()
    return call(listAdminReports, {}, mona)
  }
  const [first] = await send()
  await call(resolveReport, { id: first?.id ?? '' }, mona)
  expect(await send()).toMatchObject([{ comment: 'still there', action_taken: false }])
  expect(await send()).toHaveLength(1)
  expect(await filed()).toHaveLength(2)
})

test('moderation 7 a report of another server about a reply to a local account is stored, also about a remote author', async () => {
  await call(announceFlag, { flag: flag({ target: '201', statusUris: ['https://here.example/statuses/1002'] }) })
  await harness.cluster.waitForIdle()
  expect(await call(listAdminReports, {}, mona)).toMatchObject([
    { account: { id: '203' }, target_account: { id: '201' }, statuses: [{ id: '1002' }] },
  ])
})

test('reports from rejected or suspended servers, and about unknown accounts, are dropped', async () => {
  const ada = as(who(harness, '12'))
  await call(createDomainBlock, { domain: 'deaf.example', severity: 'noop', reject_reports: true }, ada)
  await call(createDomainBlock, { domain: 'bad.example', severity: 'suspend' }, ada)
  await call(announceFlag, { flag: flag({ domain: 'www.deaf.example' }) })
  await call(announceFlag, { flag: flag({ domain: 'bad.example' }) })
  await call(announceFlag, { flag: flag({ target: '201' }) })
  await call(announceFlag, { flag: flag({ target: '999' }) })
  await call(announceFlag, { flag: flag({ actor: '999' }) })
  await harness.cluster.waitForIdle()
  expect(await call(listAdminReports, {}, mona)).toEqual([])
})
