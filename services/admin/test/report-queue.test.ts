/** Queues of reports, their summary, assignment, and notes of staff. */
import {
  assignReport,
  assignReportToSelf,
  browseAuditLog,
  createAccountNote,
  createReport,
  createReportNote,
  listAccountNotes,
  listReportAssignees,
  listReportNotes,
  listReportQueue,
  removeAccountNote,
  removeReportNote,
  resolveReport,
  summarizeReports,
  undoAuditLogEntry,
} from '@murmuration/contracts/admin'
import type { Viewer } from '@murmuration/contracts/kit'
import { PERMISSIONS } from '@murmuration/contracts/permissions'
import { type Sql, sql } from '@murmuration/db'
import { registry } from '@murmuration/kernel'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { countQueuesQuery, queuePageQuery } from '../src/report-queue/store.js'
import { measureReports } from '../src/report-queue/ticks.js'
import { staffNotePageQuery } from '../src/staff-note/store.js'
import { as } from './fixtures.js'
import { type Harness, startHarness, who } from './harness.js'

let harness: Harness
let call: Harness['cluster']['call']
let alice: Viewer
let mona: Viewer
let ada: Viewer
beforeAll(async () => {
  harness = await startHarness()
  call = harness.cluster.call
  alice = as(who(harness, '101'))
  mona = as(who(harness, '11'))
  ada = as(who(harness, '12'))
})
afterAll(() => harness.cluster.stop())
const db = () => harness.cluster.db('admin')
beforeEach(() => db().run(sql`with r as (delete from reports), n as (delete from staff_notes) delete from audit_log`))

const report = async (target = '102', category = 'other') =>
  (await call(createReport, { account_id: target, category }, alice)).id
const queue = async (filter: object, by = mona) =>
  (await call(listReportQueue, filter as never, by)).map((one: { id: string }) => one.id)
const insert = (rows: Sql) =>
  db().run(sql`insert into reports (id, uri, account_id, target_account_id, target_domain, category, assigned_account_id,
    action_taken_at, created_at, updated_at) ${rows}`)

test('open reports are in the queue of their assignment, newest first', async () => {
  const [mine, free, others, done] = [await report(), await report(), await report(), await report()]
  await call(assignReportToSelf, { id: mine }, mona)
  await call(assignReport, { id: others, account_id: '12' }, mona)
  await call(resolveReport, { id: done }, mona)
  expect(await queue({})).toEqual([others, free, mine])
  expect(await queue({ queue: 'mine' })).toEqual([mine])
  expect(await queue({ queue: 'unassigned' })).toEqual([free])
  expect(await queue({ queue: 'others' })).toEqual([others])
  expect(await queue({ queue: 'others' }, ada)).toEqual([mine])
  expect(await queue({ min_id: '0', limit: 1 })).toEqual([mine])
})

test('a queue is filtered by category, by the server of the target and by the server of the reporter', async () => {
  const [spam, remote] = [await report('102', 'spam'), await report('201', 'legal')]
  await insert(sql`select 7, 'https://other.example/flags/1', 203, 101, '', 'other', null, null, now(), now()`)
  expect(await queue({ category: 'spam' })).toEqual([spam])
  expect(await queue({ target_origin: 'remote' })).toEqual([remote])
  expect(await queue({ target_origin: 'local' })).toEqual([spam, '7'])
  expect(await queue({ reporter_origin: 'remote' })).toEqual(['7'])
  expect(await queue({ reporter_origin: 'local', category: 'legal' })).toEqual([remote])
  for (const [field, label] of [
    ['queue', 'Queue'],
    ['category', 'Category'],
    ['target_origin', 'Target origin'],
    ['reporter_origin', 'Reporter origin'],
  ] as const)
    await expect(queue({ [field]: 'wrong' })).rejects.toMatchObject({
      status: 422,
      message: `Validation failed: ${label} is not included in the list`,
    })
})

test('the summary counts open reports, and has the age of the oldest and the median age', async () => {
  expect(await call(summarizeReports, {}, mona)).toMatchObject({
    open: 0,
    oldest_open: null,
    median_age_seconds: null,
    more: false,
  })
  await insert(sql`values
    (1, null, 101, 102, '', 'spam', 11, null, now() - interval '3 hours', now()),
    (2, 'https://other.example/flags/2', 203, 102, '', 'legal', null, null, now() - interval '2 hours', now()),
    (3, null, 101, 201, 'remote.example', 'other', 12, null, now() - interval '1 hour', now()),
    (4, null, 101, 102, '', 'spam', null, now(), now() - interval '9 hours', now())`)
  const summary = await call(summarizeReports, {}, mona)
  expect(summary).toMatchObject({
    open: 3,
    queues: { mine: 1, unassigned: 1, others: 1 },
    categories: { spam: 1, legal: 1, violation: 0, other: 1 },
    targets: { local: 2, remote: 1 },
    reporters: { local: 2, remote: 1 },
    oldest_open: { id: '1' },
    more: false,
  })
  const hours = [summary.oldest_open?.age_seconds, summary.median_age_seconds].map((age) => (age ?? 0) / 3_600)
  expect(hours.map((age) => Math.round(age * 100) / 100)).toEqual([3, 2])

  await measureReports.run(harness.ctx as never)
  const metrics = await registry.metrics()
  expect(metrics).toMatch(/^murmuration_reports_open 3$/m)
  expect(Number(/^murmuration_reports_oldest_open_seconds (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThan(10_700)
})

test('a report is assigned only to active staff that may manage reports', async () => {
  const id = await report()
  expect(await call(assignReport, { id, account_id: '12' }, mona)).toMatchObject({ assigned_account: { id: '12' } })
  const [entry] = await call(browseAuditLog, { limit: 1 }, mona)
  expect(entry).toMatchObject({
    actor: '11',
    action: 'assign_report',
    target_id: id,
    before: { assigned_account_id: null },
    after: { assigned_account_id: '12' },
  })
  const refused = { status: 422, message: 'Validation failed: Account may not manage reports' }
  for (const account_id of ['101', '201', '999'])
    await expect(call(assignReport, { id, account_id }, mona)).rejects.toMatchObject(refused)
  await expect(call(assignReport, { id: '1', account_id: '12' }, mona)).rejects.toMatchObject({ status: 404 })
  const assignees = async () => (await call(listReportAssignees, {}, mona)).map((one: { id: string }) => one.id)
  expect(await assignees()).toEqual(['11', '12', '13'])
  who(harness, '12').disabled = true
  expect(await assignees()).toEqual(['11', '13'])
  expect((await call(listReportAssignees, { limit: 2 }, mona)).map((one) => one.id)).toEqual(['11', '13'])
  await expect(call(assignReport, { id, account_id: '12' }, mona)).rejects.toMatchObject(refused)
  who(harness, '12').disabled = false
  expect(await call(assignReport, { id, account_id: '11' }, null)).toMatchObject({ assigned_account: { id: '11' } })
})

test('e-mail addresses of assignees are shown only to staff that may read accounts', async () => {
  const reporter = { ...mona, permissions: PERMISSIONS.manage_reports }
  const shown = await call(listReportAssignees, {}, { ...mona, permissions: PERMISSIONS.administrator })
  const hidden = await call(listReportAssignees, {}, reporter)
  expect(shown.map((one) => one.id)).toEqual(hidden.map((one) => one.id))
  expect(shown.every((one) => one.email !== null)).toBe(true)
  expect(hidden.every((one) => one.email === null && one.ip === null && one.ips.length === 0)).toBe(true)
})

test('the audit log has no texts of notes, and the undo of a deletion restores them', async () => {
  const id = await report()
  const auditor = { ...ada, permissions: PERMISSIONS.view_audit_log }
  const note = await call(createReportNote, { id, text: 'Confidential words' }, mona)
  await call(removeReportNote, { id, note_id: note.id }, mona)
  const entries = await call(browseAuditLog, {}, auditor)
  expect(JSON.stringify(entries)).toContain('destroy_report_note')
  expect(JSON.stringify(entries)).not.toContain('Confidential')
  await call(undoAuditLogEntry, { id: entries[0]?.id ?? '' }, mona)
  expect(await call(listReportNotes, { id }, mona)).toMatchObject([{ id: note.id, text: 'Confidential words' }])
  expect(JSON.stringify(await call(browseAuditLog, {}, auditor))).not.toContain('Confidential')
})

test('notes of staff on a report are listed with their author, and deleted by their author only', async () => {
  const id = await report()
  const note = await call(createReportNote, { id, text: ' Seen <before> ' }, mona)
  const other = await call(createReportNote, { id, text: 'Agreed' }, ada)
  await call(createReportNote, { id, text: 'By the operator' }, null)
  expect(note).toMatchObject({ text: 'Seen <before>', account: { username: 'mona' } })
  const texts = async () => (await call(listReportNotes, { id }, ada)).map((one: { text: string }) => one.text)
  expect(await texts()).toEqual(['By the operator', 'Agreed', 'Seen <before>'])
  await expect(call(removeReportNote, { id, note_id: note.id }, ada)).rejects.toMatchObject({ status: 403 })
  const elsewhere = await report()
  await expect(call(removeReportNote, { id: elsewhere, note_id: note.id }, mona)).rejects.toMatchObject({ status: 404 })
  await call(removeReportNote, { id, note_id: note.id }, mona)
  await expect(call(removeReportNote, { id, note_id: note.id }, mona)).rejects.toMatchObject({ status: 404 })
  expect(await texts()).toEqual(['By the operator', 'Agreed'])
  await expect(call(createReportNote, { id, text: ' ' }, mona)).rejects.toMatchObject({ status: 422 })
  await expect(call(createReportNote, { id: '1', text: 'x' }, mona)).rejects.toMatchObject({ status: 404 })
  const entries = await call(browseAuditLog, { target_id: note.id }, mona)
  expect(entries.map((one: { action: string }) => one.action)).toEqual(['destroy_report_note', 'create_report_note'])
  expect(entries[1]).toMatchObject({ target: `#${id}`, after: { kind: 'report', target_id: id, account_id: '11' } })
  expect(other.id).not.toBe(note.id)
})

test('A067 undo of a note on an account needs the rank that its addition needs', async () => {
  const note = await call(createAccountNote, { id: '201', text: 'x' }, mona)
  const [entry] = await call(browseAuditLog, {}, ada)
  const target = who(harness, '201')
  target.role = 'owner'
  const refused = { status: 403 }
  await expect(call(undoAuditLogEntry, { id: entry?.id ?? '' }, mona)).rejects.toMatchObject(refused)
  expect(await call(listAccountNotes, { id: '201' }, mona)).toMatchObject([{ id: note.id }])
  target.role = null
  await call(undoAuditLogEntry, { id: entry?.id ?? '' }, mona)
  expect(await call(listAccountNotes, { id: '201' }, mona)).toEqual([])
})

test('notes of staff on an account are separate from those on reports', async () => {
  const note = await call(createAccountNote, { id: '201', text: 'Was warned by mail' }, mona)
  expect(await call(listAccountNotes, { id: '201' }, mona)).toMatchObject([{ id: note.id }])
  expect(await call(listAccountNotes, { id: '102' }, mona)).toEqual([])
  await expect(call(listReportNotes, { id: '201' }, mona)).rejects.toMatchObject({ status: 404 })
  await expect(call(removeAccountNote, { id: '102', note_id: note.id }, mona)).rejects.toMatchObject({ status: 404 })
  await expect(call(createAccountNote, { id: '999', text: 'x' }, mona)).rejects.toMatchObject({ status: 404 })
  await expect(call(createAccountNote, { id: '12', text: 'x' }, mona)).rejects.toMatchObject({ status: 403 })
  await call(removeAccountNote, { id: '201', note_id: note.id }, mona)
  expect(await call(listAccountNotes, { id: '201' }, mona)).toEqual([])
})

const plan = async (query: Sql): Promise<string> => {
  const rows = await db().rows<{ 'QUERY PLAN': string }>({
    ...query,
    get text() {
      return `explain ${query.text}`
    },
    values: query.values,
  })
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

test('partial indexes of open reports serve the queues and the summary', async () => {
  await insert(sql`select n, null, n % 5000, n % 3000, '', case when n % 100 = 0 then 'spam' else 'other' end,
    case when n % 400 = 0 then 11 end, case when n % 50 = 0 then null else now() end, now(), now()
    from generate_series(1, 40000) as n`)
  await db().run(sql`insert into staff_notes (id, kind, target_id, text, created_at)
    select n, 'report', n % 3000, 'x', now() from generate_series(1, 20000) as n`)
  await db().run(sql`analyze reports, staff_notes`)
  const page = { limit: 100 }
  for (const query of [
    queuePageQuery({ queue: 'mine' }, '11', page),
    queuePageQuery({ queue: 'unassigned' }, '11', page),
    queuePageQuery({ queue: 'others' }, '11', page),
    queuePageQuery({ category: 'legal' }, '11', page),
    queuePageQuery({ target: 'remote' }, '11', page),
    countQueuesQuery('11'),
  ]) {
    const text = await plan(query)
    expect(text).toContain('reports_open')
    expect(text).not.toContain('Seq Scan')
  }
  expect(await plan(staffNotePageQuery('report', '17', page))).toContain('staff_notes_of_target')
})
