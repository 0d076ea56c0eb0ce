/** Undo of actions on accounts: the state before is restored, and nothing else changes. */
import {
  type AuditEntry,
  actOnAccount,
  approveAccountByStaff,
  browseAuditLog,
  createReport,
  reopenReport,
  resolveReport,
  showAccountForStaff,
  showAdminReport,
  showAuditLogEntry,
  undoAuditLogEntry,
  unsensitizeAccount,
  unsilenceAccount,
  unsuspendAccount,
  verifyAuditLog,
} from '@murmuration/contracts/admin'
import type { Viewer } from '@murmuration/contracts/kit'
import { permissionsOf } from '@murmuration/contracts/permissions'
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { as, fixtureAccounts } from './fixtures.js'
import { type Harness, startHarness, who } from './harness.js'

let harness: Harness
let call: Harness['cluster']['call']
let mona: Viewer
beforeAll(async () => {
  harness = await startHarness()
  call = harness.cluster.call
  mona = as(who(harness, '11'))
})
afterAll(() => harness.cluster.stop())
beforeEach(async () => {
  await harness.cluster.waitForIdle()
  for (const one of fixtureAccounts()) harness.fixtures.fakeAccounts.set(one.id, one)
  await harness.cluster.db('admin').run(sql`with s as (delete from strikes) delete from decisions`)
})

const act = (id: string, type: string, more: object = {}, by = mona) => call(actOnAccount, { id, type, ...more }, by)
const newest = async (by: Viewer | null = mona): Promise<AuditEntry> => {
  const [entry] = await call(browseAuditLog, { limit: 1 }, by)
  if (!entry) throw new Error('the audit log is empty')
  return entry
}
const undo = (id: string, more: object = {}, by: Viewer | null = mona) => call(undoAuditLogEntry, { id, ...more }, by)
const obstacle = async (id: string, by: Viewer | null = mona) =>
  (await call(showAuditLogEntry, { id }, by)).obstacle?.code
const states = (id: string) => {
  const { disabled, sensitized, silenced, suspended } = who(harness, id)
  return { disabled, sensitized, silenced, suspended }
}

describe.each(['disable', 'sensitive', 'silence', 'suspend'] as const)('undo of %s', (type) => {
  test('restores the state, is a separate entry, and can be undone', async () => {
    const before = states('102')
    await act('102', type, { text: 'Enough' })
    const after = states('102')
    const entry = await newest()
    expect(await call(showAuditLogEntry, { id: entry.id }, mona)).toMatchObject({ reversible: true, obstacle: null })
    const undone = await undo(entry.id, { reason: 'A mistake' })
    expect(undone).toMatchObject({ actor: '11', target_id: '102', undoes: entry.id, reason: 'A mistake' })
    expect(states('102')).toEqual(before)
    expect(await call(showAuditLogEntry, { id: entry.id }, mona)).toMatchObject({
      undone_by: undone.id,
      reversible: false,
      obstacle: { code: 'already_undone', text: 'This action is undone already' },
    })
    await expect(undo(entry.id)).rejects.toMatchObject({ status: 409, message: 'This action is undone already' })
    await undo(undone.id)
    expect(states('102')).toEqual(after)
    await harness.cluster.waitForIdle()
    expect(states('102')).toEqual(after)
  })

  test('does not touch another state', async () => {
    await act('102', type === 'silence' ? 'sensitive' : 'silence')
    const before = states('102')
    await act('102', type)
    const entry = await newest()
    await act('102', type === 'suspend' ? 'disable' : 'suspend')
    await undo(entry.id)
    expect(states('102')).toMatchObject(
      type === 'suspend' ? { ...before, disabled: true } : { silenced: before.silenced },
    )
  })

  test('is refused after a later decision about the same state', async () => {
    await act('102', type)
    const entry = await newest()
    await act('102', type)
    const later = await newest()
    expect(await obstacle(entry.id)).toBe('changed_since')
    await expect(undo(entry.id)).rejects.toMatchObject({ status: 409 })
    const state = states('102')
    // The second action set the same state, so its undo changes nothing. After that, the undo of the first is no longer refused.
    await undo(later.id)
    expect(states('102')).toEqual(state)
    await undo(entry.id)
    expect(states('102')).toEqual({ disabled: false, sensitized: false, silenced: null, suspended: null })
  })

  test('works before the action was applied, and is applied by the job afterwards', async () => {
    harness.fixtures.away.add('accounts.account.moderate')
    await act('102', type)
    const entry = await newest()
    await undo(entry.id)
    harness.fixtures.away.clear()
    await harness.cluster.waitForIdle()
    expect(states('102')).toEqual({ disabled: false, sensitized: false, silenced: null, suspended: null })
  })

  test('A067 requires a higher position than the account has now', async () => {
    await act('102', type)
    const entry = await newest()
    who(harness, '102').role = 'admin'
    expect(await obstacle(entry.id)).toBe('not_permitted')
    await expect(undo(entry.id)).rejects.toMatchObject({ status: 403, message: 'This action is not allowed' })
    await undo(entry.id, {}, as(who(harness, '13')))
  })
})

test('undo overrules the strike of the action, and undo of that reinstates it', async () => {
  await act('102', 'silence', { text: 'Spam' })
  const overruled = () =>
    harness.cluster.db('admin').rows(sql`select overruled_at is not null as overruled from strikes`)
  expect(await overruled()).toEqual([{ overruled: false }])
  const undone = await undo((await newest()).id)
  expect(await overruled()).toEqual([{ overruled: true }])
  await undo(undone.id)
  expect(await overruled()).toEqual([{ overruled: false }])
})

describe('reports that the action resolved', () => {
  const file = async () =>
    (await call(createReport, { account_id: '102', comment: 'Spam' }, as(who(harness, '101')))).id
  const resolution = async (id: string) => {
    const { action_taken, action_taken_by_account: by } = await call(showAdminReport, { id }, mona)
    return [action_taken, by?.id ?? null]
  }
  const entryOf = async (action: string): Promise<string> =>
    (await call(browseAuditLog, { action, limit: 1 }, mona))[0]?.id ?? ''

  test.each([
    ['disable', 'disable_user'],
    ['sensitive', 'sensitive_account'],
    ['silence', 'silence_account'],
    ['suspend', 'suspend_account'],
  ])('are open again after the undo of %s, and others are not', async (type, action) => {
    const earlier = await file()
    await call(resolveReport, { id: earlier }, mona)
    const [one, two] = [await file(), await file()]
    await act('102', type)
    expect(await resolution(one)).toEqual([true, '11'])
    const undone = await undo(await entryOf(action), { reason: 'The wrong account' })
    expect([await resolution(one), await resolution(two)]).toEqual([
      [false, null],
      [false, null],
    ])
    expect(await resolution(earlier)).toEqual([true, '11'])
    const reopened = await call(browseAuditLog, { action: 'reopen_report', limit: 2 }, mona)
    expect(reopened.map(({ target_id }) => target_id).toSorted()).toEqual([one, two].toSorted())
    expect(reopened[0]).toMatchObject({
      actor: '11',
      reason: 'The wrong account',
      before: { action_taken_by_account_id: '11' },
      after: { action_taken_at: null, action_taken_by_account_id: null },
    })
    // The state is set again, and the reports stay open for a decision.
    await undo(undone.id)
    expect(await resolution(one)).toEqual([false, null])
  })

  test('stay resolved if a moderator resolved them again since, and after the state ends otherwise', async () => {
    const [one, two] = [await file(), await file()]
    await act('102', 'silence')
    const entry = await entryOf('silence_account')
    await call(reopenReport, { id: one }, mona)
    await call(resolveReport, { id: one }, as(who(harness, '13')))
    await undo(entry)
    expect([await resolution(one), await resolution(two)]).toEqual([
      [true, '13'],
      [false, null],
    ])
    await act('102', 'silence')
    await call(unsilenceAccount, { id: '102' }, mona)
    expect(await resolution(two)).toEqual([true, '11'])
  })

  test('are open again when an operator undoes the action', async () => {
    const id = await file()
    await act('102', 'suspend')
    await undo(await entryOf('suspend_account'), {}, null)
    expect(await resolution(id)).toEqual([false, null])
  })
})

test('undo requires the permission of the action and that of the audit log', async () => {
  await act('102', 'silence')
  const { id } = await newest()
  const reader = { ...mona, permissions: permissionsOf('view_audit_log') }
  expect(await obstacle(id, reader)).toBe('not_permitted')
  await expect(undo(id, {}, reader)).rejects.toMatchObject({ status: 403 })
})

test('an operator undoes without a role, and the entry has no actor', async () => {
  await act('102', 'silence')
  const undone = await undo((await newest()).id, {}, null)
  expect(undone.actor).toBeNull()
  expect(who(harness, '102').silenced).toBeNull()
})

test('one of two simultaneous undos takes effect', async () => {
  await act('102', 'suspend')
  const { id } = await newest()
  const outcomes = await Promise.allSettled([undo(id), undo(id), undo(id)])
  expect(outcomes.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
  expect(who(harness, '102').suspended).toBeNull()
  expect(await call(browseAuditLog, { target_id: '102', limit: 2 }, mona)).toMatchObject([{ undoes: id }, { id }])
})

test('undo of a suspension unblocks the e-mail address, and undo of that blocks it again', async () => {
  const blocks = () => harness.cluster.db('admin').rows(sql`select account_id from canonical_email_blocks`)
  await act('102', 'suspend')
  const undone = await undo((await newest()).id)
  expect(await blocks()).toEqual([])
  await undo(undone.id)
  expect(await blocks()).toEqual([{ account_id: '102' }])
  await call(unsuspendAccount, { id: '102' }, mona)
})

test('undo of a suspension leaves that of the own server in force', async () => {
  who(harness, '201').suspended = 'home server'
  await act('201', 'suspend')
  expect(who(harness, '201').suspended).not.toBe('home server')
  await undo((await newest()).id)
  expect(who(harness, '201').suspended).toBe('home server')
})

/** A block of the domain of 201, and its mark on the account. */
const limitDomain = async () => {
  await harness.cluster.db('admin').run(sql`insert into domain_blocks
    (id, domain, severity, reject_media, reject_reports, obfuscate, created_at)
    values (1, 'remote.example', 'silence', false, false, false, '2026-01-01T00:00:00.000Z') on conflict do nothing`)
  who(harness, '201').silenced = '2026-01-01T00:00:00.000Z'
}

test('undo of an exemption restores the mark of the domain block', async () => {
  await limitDomain()
  await call(unsilenceAccount, { id: '201' }, mona)
  await undo((await newest()).id)
  expect(who(harness, '201').silenced).toBe('2026-01-01T00:00:00.000Z')
})

test.each(['101', '203'])('undo of the end of a limit that staff imposed twice restores it: account %s', async (id) => {
  await act(id, 'silence')
  const first = await newest()
  await act(id, 'silence')
  const second = await newest()
  const states = () => [who(harness, id).silenced !== null, who(harness, id).silenced]
  await call(unsilenceAccount, { id }, mona)
  await undo((await newest()).id)
  await harness.cluster.waitForIdle()
  expect(states()[0]).toBe(true)
  expect(await obstacle(first.id)).toBe('changed_since')
  await undo(second.id)
  await harness.cluster.waitForIdle()
  expect(states()[0]).toBe(true)
  await undo(first.id)
  await harness.cluster.waitForIdle()
  expect(states()).toEqual([false, null])
})

test('an action on the login of a remote account changes nothing, says so, and can be undone', async () => {
  await act('201', 'disable')
  const entry = await newest()
  expect(entry).toMatchObject({ before: { disabled: false }, after: { disabled: false } })
  expect(await obstacle(entry.id)).toBeUndefined()
  await undo(entry.id)
})

test('undo of an action that changed nothing does not end the limit of a domain block', async () => {
  await limitDomain()
  await act('201', 'silence')
  await undo((await newest()).id)
  await harness.cluster.waitForIdle()
  expect(who(harness, '201').silenced).toBe('2026-01-01T00:00:00.000Z')
})

test('an entry of an older release is undone as far as it contains the state before', async () => {
  await act('102', 'sensitive')
  const { id } = await newest()
  const db = harness.cluster.db('admin')
  const older = { disabled: false, sensitized: false, silenced: false, suspended: false }
  await db.run(
    sql`update audit_log set before = ${JSON.stringify(older)}, after = '{"action": "sensitive"}' where id = ${id}`,
  )
  await undo(id)
  expect(who(harness, '102').sensitized).toBe(false)
  await act('102', 'sensitive')
  const other = await newest()
  await db.run(sql`update audit_log set before = null, after = '{"action": "sensitive"}' where id = ${other.id}`)
  expect(await obstacle(other.id)).toBe('not_recorded')
  await call(unsensitizeAccount, { id: '102' }, mona)
  await db.run(sql`delete from audit_log where id = any(${[id, other.id]}::bigint[])`)
})

test('a deleted account is the reason of a refusal', async () => {
  await act('102', 'suspend')
  const { id } = await newest()
  harness.fixtures.fakeAccounts.delete('102')
  expect(await obstacle(id)).toBe('account_deleted')
  await expect(undo(id)).rejects.toMatchObject({ status: 422, message: 'The account is deleted' })
})

test('the undo of an approval is refused with its reason', async () => {
  who(harness, '103').approved = false
  await call(approveAccountByStaff, { id: '103' }, mona)
  const { id } = await newest()
  await expect(undo(id)).rejects.toMatchObject({
    status: 422,
    message: 'An approval cannot be undone. Suspend the account instead',
    extras: { body: { reason: 'approval_is_final' } },
  })
})

test('an unknown entry is not found', async () => {
  await expect(undo('7')).rejects.toMatchObject({ code: 'not_found' })
  await expect(call(showAuditLogEntry, { id: 'x' }, mona)).rejects.toMatchObject({ code: 'not_found' })
  expect(await call(showAccountForStaff, { id: '102' }, mona)).toMatchObject({ id: '102' })
})

test('the chain of hashes covers reasons and undone entries', async () => {
  const db = harness.cluster.db('admin')
  await db.run(sql`with a as (delete from audit_log) update audit_head set seq = 0, hash = ''`)
  await act('102', 'silence', { text: 'Spam' })
  const entry = await newest()
  expect(entry.reason).toBe('Spam')
  await undo(entry.id, { reason: 'No spam' })
  expect(await call(verifyAuditLog, {})).toMatchObject({ problem: null, end: { seq: '2' } })
  await db.run(sql`update audit_log set reason = 'Another' where undoes = ${entry.id}`)
  expect(await call(verifyAuditLog, {})).toMatchObject({ problem: { seq: '2', reason: 'changed' } })
  await db.run(sql`update audit_log set reason = 'No spam' where undoes = ${entry.id}`)
})
