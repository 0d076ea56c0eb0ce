/** Strikes for staff and account holders, also by the link in an e-mail. */
import {
  actOnAccount,
  createAppeal,
  createReport,
  findStrikesOfHolder,
  listOwnStrikes,
  listStrikes,
  STRIKE_LINK,
  showOwnStrike,
  showStrike,
  showStrikeByLink,
} from '@murmuration/contracts/admin'
import { AccountWarning } from '@murmuration/contracts/entities'
import type { Viewer } from '@murmuration/contracts/kit'
import { sql } from '@murmuration/db'
import { derive, signId } from '@murmuration/kernel'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { strikePageQuery } from '../src/strike/store.js'
import { as, fixtureAccounts } from './fixtures.js'
import { expectGolden } from './golden.js'
import { type Harness, startHarness, who } from './harness.js'

let harness: Harness
let call: Harness['cluster']['call']
let mona: Viewer
let bob: Viewer
let alice: Viewer
beforeAll(async () => {
  harness = await startHarness()
  call = harness.cluster.call
  ;[mona, bob, alice] = ['11', '102', '101'].map((id) => as(who(harness, id))) as [Viewer, Viewer, Viewer]
})
afterAll(() => harness.cluster.stop())
beforeEach(async () => {
  for (const one of fixtureAccounts()) harness.fixtures.fakeAccounts.set(one.id, one)
  await harness.cluster.db('admin').run(sql`with r as (delete from reports), a as (delete from appeals),
    d as (delete from decisions) delete from strikes`)
})
const act = (id: string, input: object) => call(actOnAccount, { id, ...input }, mona)
const newest = async (account_id: string) => {
  const [one] = await call(listStrikes, { account_id }, mona)
  if (!one) throw new Error('there is no strike')
  return one
}
const ownIds = async (input: object, by = bob) => (await call(listOwnStrikes, input, by)).map((one) => one.id)

test('a strike contains its report, statuses, moderator and account', async () => {
  harness.fixtures.statuses.set('2001', { author: '102', hidden: false, answers: null })
  const { id } = await call(createReport, { account_id: '102', status_ids: ['2001'] }, alice)
  await act('102', { type: 'silence', text: 'Enough', report_id: id })
  const strike = await newest('102')
  expect(strike).toMatchObject({ action: 'silence', report_id: id, status_ids: ['2001'], appeal: null })
  expect([strike.account?.username, strike.target_account.username]).toEqual(['mona', 'bob'])
  await call(createAppeal, { id: strike.id, text: 'No.' }, bob)
  const shown = await call(showStrike, { id: strike.id }, mona)
  const names = { strike: strike.id, report: id, appeal: shown.appeal?.id ?? '' }
  await expectGolden('admin-strike', shown, harness.cluster.origin, names)
  for (const unknown of ['5', 'x'])
    await expect(call(showStrike, { id: unknown }, mona)).rejects.toMatchObject({ code: 'not_found' })
})

test('strikes are listed newest first by page, of one account or of all', async () => {
  for (const account of ['101', '102', '201', '102']) await act(account, { type: 'none', text: account })
  const texts = async (input: object) => (await call(listStrikes, input, mona)).map((one) => one.text)
  expect(await texts({})).toEqual(['102', '201', '102', '101'])
  expect(await texts({ account_id: '102' })).toEqual(['102', '102'])
  const [first] = await call(listStrikes, { limit: 1 }, mona)
  expect(await texts({ limit: 2, max_id: first?.id })).toEqual(['201', '102'])
})

test('account holders read their own strikes, and no others', async () => {
  await act('102', { type: 'none', text: 'first' })
  await act('101', { type: 'none', text: 'of alice' })
  await act('102', { type: 'sensitive', text: 'second' })
  const list = await call(listOwnStrikes, {}, bob)
  for (const one of list) expect(AccountWarning.safeParse(one).error).toBeUndefined()
  expect(list.map((one) => [one.action, one.text, one.status_ids, one.target_account.username])).toEqual([
    ['sensitive', 'second', null, 'bob'],
    ['none', 'first', null, 'bob'],
  ])
  const [second, first] = list.map((one) => one.id)
  expect(await ownIds({ limit: 1 })).toEqual([second])
  expect(await ownIds({ max_id: second })).toEqual([first])
  expect(await call(showOwnStrike, { id: first ?? '' }, bob)).toEqual(list[1])
  await expect(call(showOwnStrike, { id: first ?? '' }, alice)).rejects.toMatchObject({ code: 'not_found' })
})

test('a settings page and a signed link show a strike with the time for an appeal, also when the account is disabled', async () => {
  await act('102', { type: 'disable', text: 'Enough' })
  const { id, created_at } = await newest('102')
  const { strikes } = await call(findStrikesOfHolder, { account: '102', limit: 40 })
  const until = new Date(Date.parse(created_at) + 20 * 86_400_000).toISOString()
  expect(strikes).toMatchObject([{ warning: { id, appeal: null }, overruled_at: null, appeal_until: until }])

  const secret = derive(harness.ctx.common, STRIKE_LINK)
  const byLink = async (token: string) => (await call(showStrikeByLink, { token })).found
  const later = Date.now() + 60_000
  expect(await byLink(signId(secret, id, later))).toEqual({ account: '102', strike: strikes[0] })
  expect(await byLink(signId(secret, '5', later))).toBeNull()
  expect(await byLink(signId(secret, id, Date.now() - 1_000))).toBeNull()
  expect(await byLink(signId(derive(harness.ctx.common, 'other'), id, later))).toBeNull()
  await call(createAppeal, { id, text: 'No.' }, bob)
  expect(await byLink(signId(secret, id, later))).toMatchObject({
    strike: { warning: { appeal: { text: 'No.', state: 'pending' } }, appeal_until: null },
  })
})

test('the strikes of an account are read by an index', async () => {
  await harness.cluster.db('admin').run(sql`insert into strikes (id, account_id, target_account_id, action, created_at)
    select n, 11, n % 5000, 'none', now() from generate_series(1, 20000) n`)
  await harness.cluster.db('admin').run(sql`analyze strikes`)
  const plan = await harness.cluster
    .db('admin')
    .rows<{ 'QUERY PLAN': string }>(sql`explain ${strikePageQuery('102', { limit: 20 })}`)
  const text = plan.map((row) => row['QUERY PLAN']).join('\n')
  expect(text).toContain('strikes_of_target')
  expect(text).not.toContain('Seq Scan on strikes')
})
