/** Appeals: submitted once before the deadline, decided once, with the action undone unless replaced. */
import {
  actOnAccount,
  approveAppeal,
  createAppeal,
  createAppealOfHolder,
  enableAccount,
  listAppeals,
  listAuditLog,
  listOwnStrikes,
  listStrikes,
  rejectAppeal,
  showAppeal,
  undoAuditLogEntry,
  unsilenceAccount,
} from '@murmuration/contracts/admin'
import type { Viewer } from '@murmuration/contracts/kit'
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { appealPageQuery } from '../src/strike/store.js'
import { as, fixtureAccounts } from './fixtures.js'
import { type Harness, startHarness, who } from './harness.js'

const DAY_MS = 86_400_000
let harness: Harness
let call: Harness['cluster']['call']
let mona: Viewer
let ada: Viewer
let bob: Viewer
beforeAll(async () => {
  harness = await startHarness()
  call = harness.cluster.call
  ;[mona, ada, bob] = ['11', '12', '102'].map((id) => as(who(harness, id))) as [Viewer, Viewer, Viewer]
})
afterAll(() => harness.cluster.stop())
const db = () => harness.cluster.db('admin')
beforeEach(async () => {
  for (const one of fixtureAccounts()) harness.fixtures.fakeAccounts.set(one.id, one)
  harness.fixtures.away.clear()
  await db().run(sql`delete from appeals`)
  await db().run(sql`with a as (delete from audit_log), d as (delete from decisions), s as (delete from strikes)
    delete from outbox`)
})
/** Acts on bob, and returns the id of the strike. */
const strike = async (type: string, by = mona, id = '102'): Promise<string> => {
  await call(actOnAccount, { id, type, text: 'Enough' }, by)
  return (await call(listStrikes, { account_id: id }, mona))[0]?.id ?? ''
}
const appeal = (id: string, text = 'I did not do that.', by = bob) => call(createAppeal, { id, text }, by)
/** Acts on bob, who appeals; returns the id of the appeal. */
const appealed = async (type: string): Promise<string> => {
  await appeal(await strike(type))
  return (await call(listAppeals, { limit: 1 }, ada))[0]?.appeal?.id ?? ''
}
const announced = async () =>
  (
    await db().rows<{ data: string }>(
      sql`select data from outbox where subject = 'evt.admin.appeal.changed' order by id`,
    )
  ).map((row) => JSON.parse(row.data))
const log = async () => (await call(listAuditLog, {})).entries.map((one) => [one.actor, one.action, one.target_id])
const refused = (message: string) => ({ status: 422, message: `Validation failed: ${message}` })

test('an account holder appeals once, and the appeal is in the strike', async () => {
  const id = await strike('silence')
  expect(await appeal(id, ' Not me. ')).toMatchObject({ id, appeal: { text: 'Not me.', state: 'pending' } })
  expect(await appeal(id, 'Not me.')).toMatchObject({ appeal: { text: 'Not me.', state: 'pending' } })
  await expect(appeal(id, 'Once more')).rejects.toMatchObject(refused('Strike has already been appealed'))
  expect((await call(listOwnStrikes, {}, bob))[0]?.appeal).toEqual({ text: 'Not me.', state: 'pending' })
  expect(await announced()).toMatchObject([
    { strike: id, target: '102', action: 'silence', text: 'Not me.', state: 'pending' },
  ])
})

test('an appeal against an action that was undone meanwhile can be approved only', async () => {
  const id = await appealed('silence')
  const [entry] = (await call(listAuditLog, {})).entries
  await call(undoAuditLogEntry, { id: entry?.id ?? '' }, mona)
  await expect(call(rejectAppeal, { id }, ada)).rejects.toMatchObject(refused('Strike was overruled'))
  const before = await call(showAppeal, { id }, ada)
  expect(before).toMatchObject({ overruled_at: expect.any(String), appeal: { state: 'pending' } })
  const after = await call(approveAppeal, { id }, ada)
  expect(after).toMatchObject({ overruled_at: before.overruled_at, appeal: { state: 'approved' } })
  expect((await announced()).map(({ state }) => state)).toEqual(['pending', 'approved'])
})

test('simultaneous appeals become one', async () => {
  const id = await strike('none')
  const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => appeal(id)))
  expect(outcomes.map((one) => one.status)).toEqual(Array.from({ length: 6 }, () => 'fulfilled'))
  expect(await call(listAppeals, {}, ada)).toHaveLength(1)
  expect(await announced()).toHaveLength(1)
})

test('an appeal from a page is stored the same way, also for a disabled account', async () => {
  const id = await strike('disable')
  expect(await call(createAppealOfHolder, { account: '102', id, text: 'Please' })).toEqual({})
  expect((await call(listAppeals, {}, ada)).map((one) => one.appeal?.text)).toEqual(['Please'])
  await expect(call(createAppealOfHolder, { account: '101', id, text: 'Please' })).rejects.toMatchObject({
    code: 'not_found',
  })
})

test.each([
  ['', "Text can't be blank"],
  [' \n', "Text can't be blank"],
  ['x'.repeat(2_001), 'Text is too long (maximum is 2000 characters)'],
])('text %# of an appeal is refused with its field', async (text, problem) => {
  const id = await strike('none')
  await expect(appeal(id, text)).rejects.toMatchObject(refused(problem))
  expect(await appeal(id, 'x'.repeat(2_000))).toMatchObject({ appeal: { state: 'pending' } })
})

test('the strike of another account, or none, is not found', async () => {
  const id = await strike('none')
  for (const [strikeId, by] of [
    [id, as(who(harness, '101'))],
    ['5', bob],
  ] as const)
    await expect(appeal(strikeId, 'x', by)).rejects.toMatchObject({ code: 'not_found' })
})

test('an appeal is refused twenty days after the strike', async () => {
  const [first, second] = [await strike('none'), await strike('none')]
  try {
    harness.ctx.clock.moveTo(20 * DAY_MS - 60_000)
    expect(await appeal(first)).toMatchObject({ appeal: { state: 'pending' } })
    harness.ctx.clock.moveTo(20 * DAY_MS + 60_000)
    await expect(appeal(second)).rejects.toMatchObject(refused('Strike is too old for an appeal'))
  } finally {
    harness.ctx.clock.moveTo(0)
  }
})

test.each([
  ['disable', 'enable_user', () => who(harness, '102').disabled],
  ['sensitive', 'unsensitive_account', () => who(harness, '102').sensitized],
  ['silence', 'unsilence_account', () => who(harness, '102').silenced !== null],
  ['suspend', 'unsuspend_account', () => who(harness, '102').suspended !== null],
] as const)('an approved appeal undoes %s, overrules the strike, and is in the audit log', async (type, undone, is) => {
  const id = await appealed(type)
  expect(is()).toBe(true)
  const shown = await call(approveAppeal, { id }, ada)
  expect(is()).toBe(false)
  expect(shown).toMatchObject({ overruled_at: expect.any(String), appeal: { state: 'approved' } })
  expect(shown.appeal).toMatchObject({ decided_by_account_id: '12', decided_at: shown.overruled_at })
  expect((await log()).slice(0, 2)).toEqual([
    ['12', undone, '102'],
    ['12', 'approve_appeal', '102'],
  ])
  const [, entry] = (await call(listAuditLog, {})).entries
  const of = { appeal_id: id, strike_id: shown.id }
  expect(entry).toMatchObject({
    target: 'bob',
    before: { ...of, state: 'pending', text: 'I did not do that.', overruled_at: null },
    after: { ...of, state: 'approved', overruled_at: shown.overruled_at },
  })
  expect((await announced()).map((one) => one.state)).toEqual(['pending', 'approved'])
  await harness.cluster.waitForIdle()
  expect(is()).toBe(false)
})

test('a rejected appeal leaves the action as it is', async () => {
  const id = await appealed('silence')
  const shown = await call(rejectAppeal, { id }, ada)
  expect(shown).toMatchObject({ overruled_at: null, appeal: { state: 'rejected', decided_by_account_id: '12' } })
  expect(who(harness, '102').silenced).not.toBeNull()
  expect((await log())[0]).toEqual(['12', 'reject_appeal', '102'])
  expect((await announced()).map((one) => one.state)).toEqual(['pending', 'rejected'])
})

test('an approval does not undo what a later action of staff caused', async () => {
  const id = await appealed('silence')
  await call(unsilenceAccount, { id: '102' }, mona)
  await strike('silence')
  expect(await call(approveAppeal, { id }, ada)).toMatchObject({ appeal: { state: 'approved' } })
  expect(who(harness, '102').silenced).not.toBeNull()
  expect((await log())[0]).toEqual(['12', 'approve_appeal', '102'])
})

test('an approval after a manual undo of the action changes no state', async () => {
  const id = await appealed('disable')
  await call(enableAccount, { id: '102' }, mona)
  await harness.cluster.waitForIdle()
  harness.moderation()
  await call(approveAppeal, { id }, ada)
  await harness.cluster.waitForIdle()
  expect(harness.moderation()).toEqual([])
  expect(who(harness, '102').disabled).toBe(false)
})

test('an appeal is decided once: a repetition is accepted, and the opposite is refused', async () => {
  const id = await appealed('silence')
  const first = await call(approveAppeal, { id }, ada)
  expect(await call(approveAppeal, { id }, ada)).toEqual(first)
  await expect(call(rejectAppeal, { id }, ada)).rejects.toMatchObject(refused('Appeal was already decided'))
  expect((await log()).filter(([, action]) => action === 'approve_appeal')).toHaveLength(1)
  expect(await announced()).toHaveLength(2)
  await expect(appeal(first.id, 'Again')).rejects.toMatchObject({ status: 422 })
})

test('one of several concurrent decisions takes effect', async () => {
  const id = await appealed('suspend')
  const outcomes = await Promise.allSettled(
    [approveAppeal, rejectAppeal, approveAppeal, rejectAppeal].map((operation) => call(operation, { id }, ada)),
  )
  const fulfilled = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value.appeal?.state] : []))
  expect(fulfilled).toHaveLength(2)
  expect(new Set(fulfilled).size).toBe(1)
  await harness.cluster.waitForIdle()
  expect(who(harness, '102').suspended === null).toBe(fulfilled[0] === 'approved')
  expect((await log()).filter(([, action]) => /_appeal$/.test(String(action)))).toHaveLength(1)
})

test('a decision that accounts could not apply immediately is applied later', async () => {
  const id = await appealed('suspend')
  harness.fixtures.away.add('accounts.account.moderate')
  await call(approveAppeal, { id }, ada)
  expect(who(harness, '102').suspended).not.toBeNull()
  harness.fixtures.away.clear()
  await harness.cluster.waitForIdle()
  expect(who(harness, '102').suspended).toBeNull()
})

test('staff cannot decide about its own appeal', async () => {
  const id = await strike('silence', ada, '11')
  await appeal(id, 'No.', mona)
  const [found] = await call(listAppeals, {}, ada)
  for (const operation of [approveAppeal, rejectAppeal])
    await expect(call(operation, { id: found?.appeal?.id ?? '' }, mona)).rejects.toMatchObject({ code: 'forbidden' })
  expect(await call(approveAppeal, { id: found?.appeal?.id ?? '' }, ada)).toMatchObject({
    appeal: { state: 'approved' },
  })
})

test('appeals are listed by state, pending ones if none is given', async () => {
  const first = await appealed('none')
  const second = await appealed('none')
  const third = await appealed('none')
  await call(approveAppeal, { id: first }, ada)
  await call(rejectAppeal, { id: second }, ada)
  const ids = async (input: object) => (await call(listAppeals, input, ada)).map((one) => one.appeal?.id)
  expect(await ids({})).toEqual([third])
  expect(await ids({ state: 'approved' })).toEqual([first])
  expect(await ids({ state: 'rejected' })).toEqual([second])
  await expect(ids({ state: 'odd' })).rejects.toMatchObject(refused('State is not included in the list'))
  const fourth = await appealed('none')
  expect(await ids({ limit: 1 })).toEqual([fourth])
  expect(await ids({ max_id: fourth })).toEqual([third])
  expect(await call(showAppeal, { id: third }, ada)).toMatchObject({ appeal: { id: third } })
  for (const operation of [showAppeal, approveAppeal, rejectAppeal])
    await expect(call(operation, { id: '5' }, ada)).rejects.toMatchObject({ code: 'not_found' })
})

test('pending appeals are read by an index', async () => {
  await db().run(sql`with s as (insert into strikes (id, account_id, target_account_id, action, created_at)
      select n, 11, 102, 'none', now() from generate_series(1, 20000) n returning id)
    insert into appeals (id, strike_id, text, state, created_at) select id, id, 'x', 'approved', now() from s`)
  await db().run(sql`analyze strikes, appeals`)
  const plan = await db().rows<{ 'QUERY PLAN': string }>(sql`explain ${appealPageQuery('pending', { limit: 20 })}`)
  const text = plan.map((row) => row['QUERY PLAN']).join('\n')
  expect(text).toContain('appeals_by_state')
  expect(text).not.toContain('Seq Scan')
})
