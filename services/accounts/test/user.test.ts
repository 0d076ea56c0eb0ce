/** Tests of users of local accounts, as staff and operators change them: address, confirmation, password, second factor. */
import * as accounts from '@murmuration/contracts/accounts'
import type { Viewer } from '@murmuration/contracts/kit'
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type JoiningHarness, startJoining } from './joining-harness.js'

let harness: JoiningHarness
let ada: Viewer
let mona: Viewer
beforeAll(async () => {
  harness = await startJoining()
  ada = await harness.createAccount('ada', { role: 'Admin' })
  mona = await harness.createAccount('mona', { role: 'Moderator' })
})
afterAll(() => harness.stop())

const db = () => harness.db('accounts')
/** Audit actions of staff on an account, without those of the fixtures. */
const acts = async (target: string) =>
  (await everyAct(target)).filter(([, action]) => action !== 'create_user' && action !== 'create_token_user')
const everyAct = async (target: string) =>
  (
    await db().rows<{ data: string }>(sql`select data from outbox where subject = ${`evt.${accounts.userManaged.name}`}
      order by id`)
  )
    .map((row) => JSON.parse(row.data) as { by: string | null; action: string; target: string; after: unknown })
    .filter((act) => act.target === target)
    .map((act) => [act.by, act.action, act.after])
const login = (id: string) =>
  db().row(
    sql`select email, unconfirmed_email, confirmed_at is not null as confirmed from users where account_id = ${id}`,
  )
const refused = { status: 403, message: 'This action is not allowed' }
const kinds = async (to: string) => (await harness.emails(to)).map((one) => one.kind)

test('staff change an address: with a link, or confirmed immediately with an e-mail to the old address', async () => {
  const { id } = await harness.createAccount('bea')
  expect(await harness.call(accounts.changeUserEmail, { id, email: 'b2@mail.example' }, ada)).toEqual({})
  expect(await login(id)).toMatchObject({ email: 'bea@mail.example', unconfirmed_email: 'b2@mail.example' })
  const secret = await harness.secret('b2@mail.example', 'change-confirmation')
  await harness.call(accounts.confirmUser, { id }, ada)
  expect(await login(id)).toMatchObject({ email: 'b2@mail.example', unconfirmed_email: null })
  expect(await harness.call(accounts.confirmEmail, { token: secret })).toEqual({ state: 'used' })
  await harness.call(accounts.changeUserEmail, { id, email: 'b3@mail.example', confirm: '1' })
  expect(await login(id)).toMatchObject({ email: 'b3@mail.example', unconfirmed_email: null })
  expect(await kinds('b2@mail.example')).toContain('email-changed')
  expect(await acts('bea')).toEqual([
    [ada.id, 'change_email_user', { confirm: false }],
    [ada.id, 'confirm_user', null],
    [null, 'change_email_user', { confirm: true }],
  ])
})

test('staff cancel a change of an address with the present address', async () => {
  const { id } = await harness.createAccount('delia')
  await harness.call(accounts.changeUserEmail, { id, email: 'd2@mail.example' }, ada)
  const secret = await harness.secret('d2@mail.example', 'change-confirmation')
  await harness.call(accounts.changeUserEmail, { id, email: 'DELIA@mail.example' }, ada)
  await harness.call(accounts.confirmUser, { id }, ada)
  expect(await login(id)).toEqual({ email: 'delia@mail.example', unconfirmed_email: null, confirmed: true })
  expect(await harness.call(accounts.confirmEmail, { token: secret })).toEqual({ state: 'used' })
  expect((await acts('delia')).map(([, action]) => action)).toEqual(['change_email_user', 'change_email_user'])
})

test('an address that is taken, wrong or the present one changes nothing', async () => {
  const { id } = await harness.createAccount('cleo')
  for (const email of ['ada@mail.example', 'no address'])
    await expect(harness.call(accounts.changeUserEmail, { id, email }, ada)).rejects.toMatchObject({
      code: 'unprocessable',
    })
  expect(await harness.call(accounts.changeUserEmail, { id, email: 'CLEO@mail.example', confirm: true }, ada)).toEqual(
    {},
  )
  expect([await login(id), await acts('cleo')]).toEqual([
    { email: 'cleo@mail.example', unconfirmed_email: null, confirmed: true },
    [],
  ])
})

test('a sign-up that staff confirms joins as if it had used its link', async () => {
  await harness.policy({ registrations_mode: 'open' })
  const { id, input } = await harness.join()
  expect(await login(id)).toMatchObject({ confirmed: false })
  await harness.call(accounts.confirmUser, { id }, ada)
  await harness.call(accounts.confirmUser, { id }, ada)
  expect(await login(id)).toMatchObject({ confirmed: true })
  expect(await kinds(input.email)).toEqual(['welcome'])
  expect(await acts(input.username)).toEqual([[ada.id, 'confirm_user', null]])
})

test('staff change only users below their own role, and never see a password', async () => {
  const { id } = await harness.createAccount('dora')
  const codes = async (target: string, by: Viewer) => {
    const asked = await Promise.allSettled([
      harness.call(accounts.changeUserEmail, { id: target, email: 'x@mail.example' }, by),
      harness.call(accounts.confirmUser, { id: target }, by),
      harness.call(accounts.resetUserPassword, { id: target }, by),
      harness.call(accounts.disableUserSecondFactor, { id: target }, by),
    ])
    return asked.map((one) => one.status === 'rejected' && one.reason.code)
  }
  const forbidden = Array.from({ length: 4 }, () => 'forbidden')
  expect([await codes(ada.id, mona), await codes(mona.id, mona)]).toEqual([forbidden, forbidden])
  expect(await codes('1', ada)).toEqual(forbidden.map(() => 'not_found'))
  await expect(harness.call(accounts.resetUserPassword, { id, show: true }, ada)).rejects.toMatchObject(refused)
  expect(await harness.call(accounts.resetUserPassword, { id }, ada)).toEqual({ password: null })
  expect(await kinds('dora@mail.example')).toEqual(['password-reset'])
  expect(await acts('dora')).toEqual([[ada.id, 'reset_password_user', null]])
})

test('staff create an account without seeing a password, and its user gets a link to set one', async () => {
  const make = (input: object, by: Viewer | null = ada) =>
    harness.call(accounts.createAccountByOperator, input as never, by)
  const made = await make({ username: 'new_one', email: 'new_one@mail.example', confirmed: true })
  expect(made).toEqual({ id: made.id, username: 'new_one', email: 'new_one@mail.example', password: null })
  expect(await kinds('new_one@mail.example')).toEqual(['password-reset'])
  expect(await login(made.id)).toMatchObject({ confirmed: true })
  await make({ username: 'second', email: 'second@mail.example', role: 'moderator' })
  expect((await kinds('second@mail.example')).toSorted()).toEqual(['confirmation', 'password-reset'])
  expect(await everyAct('second')).toEqual([[ada.id, 'create_user', { role: 'Moderator', confirmed: false }]])
  await expect(
    make({ username: 'x1', email: 'x1@mail.example', password: 'correct horse battery' }),
  ).rejects.toMatchObject(refused)
  for (const [role, by] of [
    ['Owner', ada],
    ['Moderator', mona],
  ] as const)
    await expect(make({ username: 'x2', email: 'x2@mail.example', role }, by)).rejects.toMatchObject(refused)
  await expect(make({ username: 'new_one', email: 'y@mail.example' })).rejects.toMatchObject({ code: 'unprocessable' })
  expect(await db().rows(sql`select 1 from users where email like 'x%@mail.example'`)).toEqual([])
})

test('an account marked as a memorial stays visible, and nobody can sign in to it or act with it', async () => {
  const { id } = await harness.createAccount('gone', { password: 'a long password' })
  const token = await harness.token('gone')
  const signIn = async () =>
    (
      await harness.call(accounts.signInUser, {
        ...{ email: 'gone@mail.example', password: 'a long password', ip: null, userAgent: null },
      })
    ).state
  const state = async () => (await harness.call(accounts.resolveToken, { token, ip: null })).found?.state
  const shown = async () => (await harness.call(accounts.showAccount, { id }, ada)).memorial ?? false
  expect([await signIn(), await state(), await shown()]).toEqual(['signed-in', 'ok', false])
  const updates = () =>
    db().rows(sql`select 1 from outbox where subject = ${accounts.accountChanged.subject}
      and data::jsonb ->> 'id' = ${id} and (data::jsonb ->> 'profile')::boolean`)
  await expect(harness.call(accounts.memorializeUser, { id: ada.id }, ada)).rejects.toMatchObject(refused)
  await harness.call(accounts.memorializeUser, { id }, ada)
  // A second request changes nothing.
  await harness.call(accounts.memorializeUser, { id }, ada)
  expect([await signIn(), await state(), await shown()]).toEqual(['refused', 'disabled', true])
  expect([await acts('gone'), await updates()]).toMatchObject([
    [[ada.id, 'memorialize_account', { memorial: true }]],
    [{}],
  ])
  const undo = { by: ada.id, action: 'memorialize_account' as const, targetId: id, dry: false }
  const change = { before: { memorial: false }, after: { memorial: true } }
  const restored = async () => (await harness.call(accounts.restoreUser, { ...undo, ...change })).outcome
  expect([await restored(), await restored()]).toEqual(['restored', 'already'])
  expect([await signIn(), await state(), await shown()]).toEqual(['signed-in', 'ok', false])
})
