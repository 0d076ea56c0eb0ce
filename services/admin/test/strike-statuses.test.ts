/** Reported statuses that staff marks as sensitive or deletes, with real accounts and statuses. */
import { app as accounts } from '@murmuration/accounts'
import { createAccountByOperator } from '@murmuration/contracts/accounts'
import {
  actOnReportedStatuses,
  approveAppeal,
  createAppeal,
  createReport,
  createWarningPreset,
  listAuditLog,
  listOwnStrikes,
  rejectAppeal,
  showAdminReport,
  showAuditLogEntry,
  undoAuditLogEntry,
} from '@murmuration/contracts/admin'
import type { Viewer } from '@murmuration/contracts/kit'
import { ALL_PERMISSIONS, permissionsOf } from '@murmuration/contracts/permissions'
import { createStatus, showStatus } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { app as media } from '@murmuration/media'
import { app as statuses } from '@murmuration/statuses'
import { type Cluster, startCluster, viewer } from '@murmuration/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Context } from '../src/context.js'
import { app } from '../src/main.js'
import { enforceStatusDecisionNow } from '../src/status-decision/enforce.js'

let cluster: Cluster
let owner: Viewer
let ann: Viewer
let bob: Viewer
beforeAll(async () => {
  cluster = await startCluster({ apps: [app, accounts, media, statuses], env: { MEDIA_FFMPEG: 'off' } })
  const fakeAccount = async (username: string) =>
    (await cluster.call(createAccountByOperator, { username, email: `${username}@mail.example`, confirmed: true })).id
  owner = viewer(await fakeAccount('olga'), { permissions: ALL_PERMISSIONS, position: 1_000 })
  ann = viewer(await fakeAccount('ann'))
  bob = viewer(await fakeAccount('bob'))
  await cluster.waitForIdle()
})
afterAll(() => cluster.stop())
beforeEach(() => cluster.db('admin').run(sql`delete from audit_log`))

const call = ((...given) => cluster.call(...given)) as Cluster['call']
const attach = (id: string) => cluster.db('statuses').run(sql`update statuses set has_media = true where id = ${id}`)
const post = async (isMedia = true): Promise<string> => {
  const { id } = (await call(createStatus, { status: 'hello' } as never, bob)) as { id: string }
  if (isMedia) await attach(id)
  return id
}
const report = async (...status_ids: string[]): Promise<string> =>
  (await call(createReport, { account_id: bob.id, status_ids }, ann)).id
const act = (id: string, type: string, more: object = {}, by = owner) =>
  call(actOnReportedStatuses, { id, type, text: 'Enough', ...more }, by)
const sensitive = async (id: string) => (await call(showStatus, { id }, ann)).sensitive
const log = async () =>
  (await call(listAuditLog, {})).entries
    .map(({ action, target_id, before, after, reason }) => ({ action, target_id, before, after, reason }))
    .reverse()
const refused = (message: string) => ({ status: 422, message: `Validation failed: ${message}` })

test('reported statuses are marked as sensitive: a strike, the audit log, and the report is resolved', async () => {
  const [one, two] = [await post(), await post()]
  const id = await report(one, two)
  const strike = await act(id, 'mark_statuses_as_sensitive')
  expect(strike).toMatchObject({ action: 'mark_statuses_as_sensitive', text: 'Enough', report_id: id })
  expect(strike.status_ids.toSorted()).toEqual([one, two].toSorted())
  expect([await sensitive(one), await sensitive(two)]).toEqual([true, true])
  expect(await call(showAdminReport, { id }, owner)).toMatchObject({ action_taken: true })
  const of = { strike_id: strike.id, account_id: bob.id }
  const states = { before: { ...of, strike_id: null, sensitive: false }, after: { ...of, sensitive: true } }
  const entry = { action: 'update_status', ...states, reason: 'Enough' }
  const entries = await log()
  expect(entries.slice(0, 2)).toEqual([one, two].toSorted().map((target_id) => ({ ...entry, target_id })))
  expect(entries[2]).toMatchObject({ action: 'resolve_report', target_id: id })
  expect(await call(listOwnStrikes, { limit: 1 }, bob)).toMatchObject([
    { id: strike.id, status_ids: strike.status_ids },
  ])
})

test('an approved appeal ends the mark, and a rejected one does not', async () => {
  for (const [decide, expected] of [
    [approveAppeal, false],
    [rejectAppeal, true],
  ] as const) {
    const status = await post()
    const strike = await act(await report(status), 'mark_statuses_as_sensitive')
    await call(createAppeal, { id: strike.id, text: 'It is a flower.' }, bob)
    const appeal = (await call(listOwnStrikes, { limit: 1 }, bob))[0]
    expect(appeal?.appeal?.state).toBe('pending')
    const { id } = (await cluster
      .db('admin')
      .row<{ id: string }>(sql`select id from appeals where strike_id = ${strike.id}`)) ?? { id: '' }
    await call(decide, { id }, owner)
    expect(await sensitive(status)).toBe(expected)
    await enforceStatusDecisionNow(contextOfAdmin(), strike.id)
    await cluster.waitForIdle()
    expect(await sensitive(status)).toBe(expected)
  }
  const marks = (await log()).filter((one) => one.action === 'update_status')
  const sides = marks.map(({ before, after }) =>
    [before, after].map((one) => (one as { sensitive: boolean }).sensitive),
  )
  expect(sides).toEqual([
    [false, true],
    [true, false],
    [false, true],
  ])
})
const contextOfAdmin = () => cluster.host.running.find((one) => one.service === 'admin')?.ctx as Context

test('staff undoes marks individually, unless a later decision replaced them', async () => {
  const [one, two] = [await post(), await post()]
  await act(await report(one, two), 'mark_statuses_as_sensitive')
  const entryOf = async (status: string) =>
    (await call(listAuditLog, {})).entries.find((entry) => entry.target_id === status)?.id ?? ''
  const first = await entryOf(one)
  await call(undoAuditLogEntry, { id: first }, owner)
  expect([await sensitive(one), await sensitive(two)]).toEqual([false, true])
  await expect(call(undoAuditLogEntry, { id: first }, owner)).rejects.toMatchObject({ code: 'conflict' })
  const undone = (await call(listAuditLog, {})).entries[0]
  expect(undone).toMatchObject({ action: 'update_status', after: { strike_id: null, sensitive: false } })
  await call(undoAuditLogEntry, { id: undone?.id ?? '' }, owner)
  expect(await sensitive(one)).toBe(true)
  await call(undoAuditLogEntry, { id: (await call(listAuditLog, {})).entries[0]?.id ?? '' }, owner)
  await attach(one)
  await act(await report(one), 'mark_statuses_as_sensitive')
  expect(await sensitive(one)).toBe(true)
  const shown = await call(showAuditLogEntry, { id: await entryOf(two) }, owner)
  expect(shown).toMatchObject({ reversible: true, obstacle: null })
})

test('the undo of the last mark opens the report again, and the end of the mark by an appeal does not', async () => {
  const marked = async () => {
    const posts = [await post(), await post()]
    const id = await report(...posts)
    const strike = await act(id, 'mark_statuses_as_sensitive')
    const { entries } = await call(listAuditLog, {})
    return { id, strike, marks: posts.map((one) => entries.find((entry) => entry.target_id === one)?.id ?? '') }
  }
  const isResolved = async (id: string) => (await call(showAdminReport, { id }, owner)).action_taken
  const [undone, appealed] = [await marked(), await marked()]
  const [first = '', second = ''] = undone.marks
  await call(undoAuditLogEntry, { id: first }, owner)
  expect(await isResolved(undone.id)).toBe(true)
  await call(undoAuditLogEntry, { id: second }, owner)
  expect([await isResolved(undone.id), await isResolved(appealed.id)]).toEqual([false, true])
  expect((await log()).filter(({ action }) => action === 'reopen_report')).toMatchObject([{ target_id: undone.id }])

  await call(createAppeal, { id: appealed.strike.id, text: 'It is a flower.' }, bob)
  const appeal = await cluster
    .db('admin')
    .row<{ id: string }>(sql`select id from appeals where strike_id = ${appealed.strike.id}`)
  await call(approveAppeal, { id: appeal?.id ?? '' }, owner)
  expect(await isResolved(appealed.id)).toBe(true)

  // Two undos at the same time open the report too.
  const both = await marked()
  await Promise.all(both.marks.map((id) => call(undoAuditLogEntry, { id }, owner)))
  expect(await isResolved(both.id)).toBe(false)
})

test('reported statuses are deleted for good, some of them or all', async () => {
  const [one, two, three] = [await post(false), await post(), await post()]
  const id = await report(one, two, three)
  const strike = await act(id, 'delete_statuses', { status_ids: [one, two] })
  expect(strike).toMatchObject({ action: 'delete_statuses', overruled_at: null })
  for (const gone of [one, two])
    await expect(call(showStatus, { id: gone }, bob)).rejects.toMatchObject({ code: 'not_found' })
  expect(await sensitive(three)).toBe(false)
  const destroyed = (await log()).filter((entry) => entry.action === 'destroy_status')
  const entry = (await call(listAuditLog, {})).entries.find((found) => found.action === 'destroy_status')
  await expect(call(undoAuditLogEntry, { id: entry?.id ?? '' }, owner)).rejects.toMatchObject({
    status: 422,
    message: 'Deleted data cannot be restored',
  })
  expect(destroyed.map((entry) => [entry.target_id, entry.before, entry.after])).toEqual(
    [one, two].map((status) => [
      status,
      { strike_id: strike.id, account_id: bob.id, deleted: false },
      { strike_id: strike.id, account_id: bob.id, deleted: true },
    ]),
  )
  await expect(act(id, 'delete_statuses', { status_ids: [one, two] })).rejects.toMatchObject(
    refused('Status ids name no post that exists'),
  )
  // An approved appeal overrules the strike and restores nothing.
  await call(createAppeal, { id: strike.id, text: 'Sorry' }, bob)
  const { id: appeal } = (await cluster
    .db('admin')
    .row<{ id: string }>(sql`select id from appeals where strike_id = ${strike.id}`)) ?? { id: '' }
  expect(await call(approveAppeal, { id: appeal }, owner)).toMatchObject({ overruled_at: expect.any(String) })
  await expect(call(showStatus, { id: one }, bob)).rejects.toMatchObject({ code: 'not_found' })
})

test('the text begins with the preset', async () => {
  const { id: warning_preset_id } = await call(createWarningPreset, { text: 'No nudity.' }, owner)
  const strike = await act(await report(await post()), 'mark_statuses_as_sensitive', { warning_preset_id })
  expect(strike.text).toBe('No nudity.\n\nEnough')
})

test('an action that is not possible is refused, and nothing is stored', async () => {
  const [plain, other] = [await post(false), await post()]
  const id = await report(plain)
  const before = await call(listOwnStrikes, {}, bob)
  for (const [type, more, problem] of [
    ['silence', {}, 'Type is not included in the list'],
    ['', {}, 'Type is not included in the list'],
    ['mark_statuses_as_sensitive', {}, 'Status ids name no post with visible media'],
    ['delete_statuses', { status_ids: [other] }, 'Status ids is not included in the list'],
    ['delete_statuses', { text: 'x'.repeat(2_001) }, 'Text is too long (maximum is 2000 characters)'],
  ] as const)
    await expect(act(id, type, more)).rejects.toMatchObject(refused(problem))
  await expect(act('5', 'delete_statuses')).rejects.toMatchObject({ code: 'not_found' })
  await expect(act(id, 'delete_statuses', { warning_preset_id: '5' })).rejects.toMatchObject({ code: 'not_found' })
  expect(await call(listOwnStrikes, {}, bob)).toEqual(before)
  expect(await log()).toEqual([])
})

test('A067 staff acts on statuses of accounts with a lower position only', async () => {
  const id = await report(await post())
  const equal = viewer(owner.id, { permissions: permissionsOf('manage_reports'), position: -1 })
  await expect(act(id, 'delete_statuses', {}, equal)).rejects.toMatchObject({ code: 'forbidden' })
  const above = viewer(owner.id, { permissions: permissionsOf('manage_reports'), position: 10 })
  expect(await act(id, 'delete_statuses', {}, above)).toMatchObject({ action: 'delete_statuses' })
})

test('A067 staff undoes marks on statuses of accounts with a lower position only', async () => {
  const status = await post()
  await act(await report(status), 'mark_statuses_as_sensitive')
  const entryOf = async () =>
    (await call(listAuditLog, {})).entries.find((entry) => entry.target_id === status)?.id ?? ''
  const permissions = permissionsOf('manage_reports', 'view_audit_log')
  const equal = viewer(owner.id, { permissions, position: -1 })
  const above = viewer(owner.id, { permissions, position: 10 })
  for (const isMarked of [true, false]) {
    const id = await entryOf()
    expect(await call(showAuditLogEntry, { id }, equal)).toMatchObject({
      reversible: false,
      obstacle: { code: 'not_permitted' },
    })
    await expect(call(undoAuditLogEntry, { id }, equal)).rejects.toMatchObject({ code: 'forbidden' })
    expect(await sensitive(status)).toBe(isMarked)
    await call(undoAuditLogEntry, { id }, above)
    expect(await sensitive(status)).toBe(!isMarked)
  }
})

test('a decision that statuses could not apply immediately is applied by the job admin.settle-statuses', async () => {
  const status = await post()
  const id = await report(status)
  const ctx = contextOfAdmin()
  const real = ctx.call
  let isAway = true
  Object.assign(ctx, {
    call: ((operation: { name: string }, ...rest: never[]) => {
      if (isAway && operation.name === 'statuses.moderated-status.mark') throw new Error('away')
      return (real as (...given: unknown[]) => unknown)(operation, ...rest)
    }) as never,
  })
  try {
    await act(id, 'mark_statuses_as_sensitive')
    isAway = false
    await cluster.waitForIdle()
    expect(await sensitive(status)).toBe(true)
  } finally {
    Object.assign(ctx, { call: real })
  }
})
