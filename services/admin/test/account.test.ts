/** Actions of moderators on accounts: undo, strikes, resolved reports, and permissions. */
import {
  actOnAccount,
  approveAccountByStaff,
  createReport,
  enableAccount,
  listAdminReports,
  listAuditLog,
  showAccountForStaff,
  unsensitizeAccount,
  unsilenceAccount,
  unsuspendAccount,
} from '@murmuration/contracts/admin'
import type { Viewer } from '@murmuration/contracts/kit'
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { enforceDecision } from '../src/account-decision/enforce.js'
import { as, fixtureAccounts } from './fixtures.js'
import { expectGolden } from './golden.js'
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
  for (const one of fixtureAccounts()) harness.fixtures.fakeAccounts.set(one.id, one)
  await harness.cluster.db('admin').run(sql`with r as (delete from reports), a as (delete from audit_log),
    s as (delete from strikes), d as (delete from decisions) delete from outbox`)
})
const act = (id: string, input: object, by = mona) => call(actOnAccount, { id, ...input }, by)
const strikes = async () =>
  (
    await harness.cluster
      .db('admin')
      .rows<{ data: string }>(sql`select data from outbox where subject = 'evt.admin.strike.created' order by id`)
  ).map((row) => JSON.parse(row.data))
const log = async () => (await call(listAuditLog, {})).entries.map((one) => [one.actor, one.action, one.target_id])

test.each([
  ['disable', 'disable_user', { disabled: true }, enableAccount, 'enable_user'],
  ['sensitive', 'sensitive_account', { sensitized: true }, unsensitizeAccount, 'unsensitive_account'],
  ['silence', 'silence_account', { silenced: true }, unsilenceAccount, 'unsilence_account'],
  ['suspend', 'suspend_account', { suspended: true }, unsuspendAccount, 'unsuspend_account'],
] as const)(
  '%s is in force before the response, is a strike, is logged, and can be undone',
  async (type, name, state, undo, undone) => {
    const plain = await call(showAccountForStaff, { id: '102' }, mona)
    expect(await act('102', { type, text: 'Enough' })).toEqual({})
    expect(await call(showAccountForStaff, { id: '102' }, mona)).toEqual({ ...plain, ...state })
    expect(await strikes()).toMatchObject([
      { target: '102', targetLocal: true, action: type, text: 'Enough', statusIds: [], tell: true },
    ])
    expect(await call(undo, { id: '102' }, mona)).toEqual(plain)
    expect(await log()).toEqual([
      ['11', undone, '102'],
      ['11', name, '102'],
    ])
    await harness.cluster.waitForIdle()
    expect(await call(showAccountForStaff, { id: '102' }, mona)).toEqual(plain)
  },
)

test('S-024 the e-mail address of a suspended account is blocked in every spelling until the suspension ends', async () => {
  const isBlocked = () => harness.ctx.policy.access().emailAddress(`B.OB+again@mail.example`)
  await act('102', { type: 'silence' })
  expect(isBlocked()).toBe(false)
  await act('102', { type: 'suspend' })
  await expect.poll(isBlocked).toBe(true)
  await act('102', { type: 'suspend' })
  await call(unsuspendAccount, { id: '102' }, mona)
  await expect.poll(isBlocked).toBe(false)
  await act('201', { type: 'suspend' })
  expect(await harness.cluster.db('admin').rows(sql`select 1 from canonical_email_blocks`)).toEqual([])
})

test('moderators see the account with its data', async () => {
  await expectGolden('admin-account', await call(showAccountForStaff, { id: '102' }, mona), harness.cluster.origin)
  for (const id of ['999', '-99', 'x'])
    await expect(call(showAccountForStaff, { id }, mona)).rejects.toMatchObject({
      code: 'not_found',
      message: 'Record not found',
    })
})

test('an action resolves all open reports about the account, a warning only its own', async () => {
  const bob = as(who(harness, '102'))
  const [first, second] = [
    await call(createReport, { account_id: '101' }, bob),
    await call(createReport, { account_id: '101' }, bob),
  ]
  const other = await call(createReport, { account_id: '201' }, bob)
  const open = async () => (await call(listAdminReports, {}, mona)).map((one) => one.id)
  await act('101', { type: 'none', text: 'Please stop', report_id: first.id })
  expect(await open()).toEqual([other.id, second.id])
  expect(await log()).toEqual([
    ['11', 'resolve_report', first.id],
    ['11', 'create_account_warning', '101'],
  ])
  await act('101', { type: 'silence' })
  expect(await open()).toEqual([other.id])
  expect((await log())[0]).toEqual(['11', 'resolve_report', second.id])
})

test('a strike contains the statuses of its report; no notification on request of staff, or for remote accounts', async () => {
  harness.fixtures.statuses.set('2001', { author: '102', hidden: false, answers: null })
  const alice = as(who(harness, '101'))
  const { id } = await call(createReport, { account_id: '102', status_ids: ['2001'] }, alice)
  await act('102', { type: 'silence', report_id: id, send_email_notification: 'false' })
  await act('201', { type: 'suspend' })
  expect(await strikes()).toMatchObject([
    { target: '102', statusIds: ['2001'], tell: false },
    { target: '201', targetLocal: false, tell: false },
  ])
  expect(who(harness, '201').suspended).not.toBeNull()
})

test.each([
  [{}, 422, "Validation failed: Type can't be blank, Type is not included in the list"],
  [{ type: 'delete' }, 422, 'Validation failed: Type is not included in the list'],
  [{ type: 'none', text: 'x'.repeat(2_001) }, 422, 'Validation failed: Text is too long (maximum is 2000 characters)'],
  [{ type: 'none', report_id: '5' }, 404, 'Record not found'],
  [{ type: 'none', warning_preset_id: '5' }, 404, 'Record not found'],
])('S-196 action %# is refused as %i', async (input, status, message) => {
  await expect(act('102', input)).rejects.toMatchObject({ status, message })
})

test('a report about another account cannot be used for an action', async () => {
  const { id } = await call(createReport, { account_id: '201' }, as(who(harness, '101')))
  await expect(act('102', { type: 'silence', report_id: id })).rejects.toMatchObject({ code: 'not_found' })
  expect(who(harness, '102').silenced).toBeNull()
})

test('A067 staff cannot act on an account of equal or higher rank, and nothing is stored', async () => {
  const refused = { code: 'forbidden', message: 'This action is not allowed' }
  for (const id of ['11', '12', '13'])
    for (const type of ['disable', 'sensitive', 'silence', 'suspend'])
      await expect(act(id, { type })).rejects.toMatchObject(refused)
  who(harness, '12').suspended = 'owner'
  await expect(call(unsuspendAccount, { id: '12' }, mona)).rejects.toMatchObject(refused)
  expect(await log()).toEqual([])
  await act('11', { type: 'disable' }, as(who(harness, '12')))
  expect(who(harness, '11').disabled).toBe(true)
})

test('an undo without a matching action is refused', async () => {
  await expect(call(unsuspendAccount, { id: '102' }, mona)).rejects.toMatchObject({
    message: 'This action is not allowed',
  })
  who(harness, '201').suspended = 'home server'
  await expect(call(unsuspendAccount, { id: '201' }, mona)).rejects.toMatchObject({
    message: 'This action is not allowed',
  })
  await expect(call(enableAccount, { id: '201' }, mona)).rejects.toMatchObject({
    code: 'forbidden',
    message: 'Forbidden',
  })
})

test('a decision that accounts could not apply immediately is applied later', async () => {
  harness.fixtures.away.add('accounts.account.moderate')
  expect(await act('102', { type: 'suspend' })).toEqual({})
  expect(who(harness, '102').suspended).toBeNull()
  harness.fixtures.away.clear()
  await harness.cluster.waitForIdle()
  expect(who(harness, '102').suspended).not.toBeNull()
})

test('a decision that accounts could not apply immediately is applied later by the job admin.settle-verdict', async () => {
  who(harness, '103').approved = false
  harness.fixtures.away.add('accounts.registration.approve')
  expect(await call(approveAccountByStaff, { id: '103' }, mona)).toMatchObject({ approved: false })
  harness.fixtures.away.clear()
  await harness.cluster.waitForIdle()
  expect(await call(showAccountForStaff, { id: '103' }, mona)).toMatchObject({ approved: true })
  expect(await log()).toEqual([['11', 'approve_user', '103']])
})

test('a late job does not apply an old decision', async () => {
  await act('102', { type: 'suspend' })
  await call(unsuspendAccount, { id: '102' }, mona)
  await enforceDecision(harness.ctx as never, '102', 'suspend')
  expect(who(harness, '102').suspended).toBeNull()
})
