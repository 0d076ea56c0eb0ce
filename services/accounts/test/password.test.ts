/** Tests of passwords: reset by e-mail, change, removal, and the end of all access. */
import {
  beginAccountRemoval,
  beginOneTimeCode,
  changeEmail,
  changePassword,
  confirmEmail,
  confirmUser,
  removeIdentity,
  requestPasswordReset,
  resetPassword,
  resetUserPassword,
  resolveSession,
  resolveToken,
  signInUser,
  tokenRevoked,
} from '@murmuration/contracts/accounts'
import { sql } from '@murmuration/db'
import { holding } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type JoiningHarness, startJoining } from './joining-harness.js'

let harness: JoiningHarness
beforeAll(async () => {
  harness = await startJoining()
})
afterAll(() => harness.stop())

const PASSWORD = 'a long password'
const NEXT = 'a fresh password'
const signIn = (name: string, password = PASSWORD) =>
  harness.call(signInUser, { email: `${name}@mail.example`, password, ip: null, userAgent: null })
const createAccount = async (name: string) => {
  const { id } = await harness.createAccount(name, { password: PASSWORD })
  return { id, token: await harness.token(name), session: (await signIn(name)).session ?? '' }
}
const isSignedIn = async (session: string) => (await harness.call(resolveSession, { session })).person !== null
const tokenState = async (token: string) => (await harness.call(resolveToken, { token, ip: null })).why
const link = async (name: string) => {
  await harness.call(requestPasswordReset, { email: `${name.toUpperCase()}@mail.example` })
  return harness.secret(`${name}@mail.example`, 'password-reset')
}

test('A100 a reset by e-mail ends all sessions and tokens, and is announced', async () => {
  const { token, session } = await createAccount('reset')
  const secret = await link('reset')
  expect(await harness.call(resetPassword, { token: secret, password: 'a fresh password' })).toEqual({
    state: 'changed',
  })
  expect([await isSignedIn(session), await tokenState(token)]).toEqual([false, 'revoked'])
  expect([(await signIn('reset')).state, (await signIn('reset', 'a fresh password')).state]).toEqual([
    'refused',
    'signed-in',
  ])
  const announced = await harness.db('accounts').rows(sql`select 1 from outbox where subject = ${tokenRevoked.subject}`)
  expect(announced.length).toBeGreaterThan(0)
  expect((await harness.emails('reset@mail.example')).map((one) => one.kind)).toContain('password-changed')
})

test('a reset link locks the user before it is used up, so that it cannot deadlock with a change of the password', async () => {
  await createAccount('order')
  const token = await link('order')
  const held = await holding(harness.db('accounts'), sql`lock table mail_links in share mode`)
  const resetting = harness.call(resetPassword, { token, password: 'a fresh password' })
  await held.queued(1)
  const unlocked = sql`select id from users where email = 'order@mail.example' for no key update skip locked`
  expect(await harness.db('accounts').rows(unlocked)).toEqual([])
  await held.letGo()
  expect(await resetting).toEqual({ state: 'changed' })
})

test.each<[string, (session: string) => Promise<unknown>]>([
  [
    'another e-mail address',
    (session) => harness.call(changeEmail, { session, email: 'x@mail.example', password: PASSWORD }),
  ],
  ['a deletion of the account', (session) => harness.call(beginAccountRemoval, { session, password: PASSWORD })],
  [
    'a removal of a provider',
    (session) => harness.call(removeIdentity, { session, provider: 'openid_connect', password: PASSWORD }),
  ],
  [
    'another password',
    (session) => harness.call(changePassword, { session, current: PASSWORD, password: 'a fresh password' }),
  ],
])('A092 %s is refused if the session ends while the password is checked', async (change, run) => {
  const name = change.replaceAll(/\W/g, '_')
  const { session, token } = await createAccount(name)
  await harness.db('accounts').run(sql`insert into identities (provider, subject, user_id, created_at)
    select 'openid_connect', id::text, id, now() from users where email = ${`${name}@mail.example`}`)
  // A change of the password locks the user and deletes sessions, too.
  const held = await holding(
    harness.db('accounts'),
    sql`with locked as (select id from users where email = ${`${name}@mail.example`} for no key update)
      delete from sessions where user_id in (select id from locked)`,
  )
  const refused = expect(run(session)).rejects.toMatchObject({ code: 'unauthenticated' })
  await held.queued(1)
  await held.letGo()
  await refused
  expect(await tokenState(token)).toBe('ok')
  const unchanged = sql`select 1 from users u join identities i on i.user_id = u.id
    where u.email = ${`${name}@mail.example`} and u.unconfirmed_email is null`
  expect(await harness.db('accounts').rows(unchanged)).toHaveLength(1)
})

test('F066 of twenty concurrent uses of a reset link one succeeds, and a refused password does not use it up', async () => {
  await createAccount('racer')
  const token = await link('racer')
  const weak = await harness.request(resetPassword, { token, password: 'password1' })
  expect([weak.meta.status, new TextDecoder().decode(weak.bytes)]).toEqual([
    422,
    expect.stringContaining('ERR_INVALID'),
  ])
  const states = await Promise.all(
    Array.from({ length: 20 }, (_, i) => harness.call(resetPassword, { token, password: `a fresh password ${i}` })),
  )
  expect(states.filter((one) => one.state === 'changed')).toHaveLength(1)
  expect(await harness.call(resetPassword, { token: 'nonsense', password: 'a fresh password' })).toEqual({
    state: 'used',
  })
})

test('a reset link expires after six hours, and the first use of one ends the others', async () => {
  await createAccount('late')
  const [first, second] = [await link('late'), await link('late')]
  harness.moveTo(21_601_000)
  expect(await harness.call(resetPassword, { token: first, password: 'a fresh password' })).toEqual({ state: 'used' })
  harness.moveTo(0)
  expect(await harness.call(resetPassword, { token: first, password: 'a fresh password' })).toEqual({
    state: 'changed',
  })
  expect(await harness.call(resetPassword, { token: second, password: 'a fresh password' })).toEqual({ state: 'used' })
})

test('no reset e-mail is sent to an address that the user changed meanwhile', async () => {
  await createAccount('changed')
  const held = await holding(
    harness.db('accounts'),
    sql`update users set email = 'fresh@mail.example' where email = 'changed@mail.example'`,
  )
  const requesting = harness.call(requestPasswordReset, { email: 'changed@mail.example' })
  await Promise.race([requesting, held.queued(1)])
  await held.letGo()
  await requesting
  expect(await harness.emails('changed@mail.example')).toEqual([])
})

test('at most five reset e-mails are sent in half an hour', async () => {
  await createAccount('flooded')
  for (let i = 0; i < 7; i++) await harness.call(requestPasswordReset, { email: 'flooded@mail.example' })
  expect(await harness.emails('flooded@mail.example')).toHaveLength(5)
})

test('a changed password keeps the present session with a new value, and ends all others', async () => {
  const { token, session } = await createAccount('changer')
  const other = (await signIn('changer')).session ?? ''
  const wrong = await harness.request(changePassword, {
    session,
    current: 'wrong password',
    password: 'a fresh password',
  })
  expect(wrong.meta.status).toBe(422)
  expect(new TextDecoder().decode(wrong.bytes)).toContain('Current password is invalid')
  const { session: fresh } = await harness.call(changePassword, {
    session,
    current: PASSWORD,
    password: 'a fresh password',
  })
  expect([await isSignedIn(session), await isSignedIn(other), await isSignedIn(fresh)]).toEqual([false, false, true])
  expect(await tokenState(token)).toBe('revoked')
})

test.each<[string, (name: string, id: string, session: string) => Promise<unknown>]>([
  ['a change', (_name, _id, session) => harness.call(changePassword, { session, current: PASSWORD, password: NEXT })],
  ['a reset link', async (name) => harness.call(resetPassword, { token: await link(name), password: NEXT })],
  ['staff', (_name, id) => harness.call(resetUserPassword, { id })],
  ['an operator', (_name, id) => harness.call(resetUserPassword, { id, show: true })],
])('A092 a new password by %s cancels changes that were begun before', async (by, replace) => {
  const name = `begun_${by.replaceAll(' ', '_')}`
  const { id, session } = await createAccount(name)
  const email = `${name}@elsewhere.example`
  await harness.call(changeEmail, { session, email, password: PASSWORD })
  await harness.call(beginOneTimeCode, { session, password: PASSWORD })
  const secret = await harness.secret(email, 'change-confirmation')
  await replace(name, id, session)
  expect(await harness.call(confirmEmail, { token: secret })).toEqual({ state: 'used' })
  await harness.call(confirmUser, { id })
  expect(
    await harness.db('accounts').row(sql`select u.email, u.unconfirmed_email, count(o.user_id)::int as codes
      from users u left join one_time_codes o on o.user_id = u.id where u.account_id = ${id} group by u.id`),
  ).toEqual({ email: `${name}@mail.example`, unconfirmed_email: null, codes: 0 })
})

test('a new password keeps the confirmation link of an address that was never confirmed', async () => {
  const { id } = await harness.createAccount('fledgling', { password: PASSWORD, confirmed: false })
  const secret = await harness.secret('fledgling@mail.example', 'confirmation')
  await harness.call(resetUserPassword, { id, show: true })
  expect(await harness.call(confirmEmail, { token: secret })).toEqual({ state: 'confirmed' })
})

test('A092 a password reset by staff or an operator ends all access, too', async () => {
  const { id, token, session } = await createAccount('taken')
  expect(await harness.call(resetUserPassword, { id })).toEqual({ password: null })
  expect([await isSignedIn(session), await tokenState(token), (await signIn('taken')).state]).toEqual([
    false,
    'revoked',
    'refused',
  ])
  const secret = await harness.secret('taken@mail.example', 'password-reset')
  expect(await harness.call(resetPassword, { token: secret, password: 'a fresh password' })).toEqual({
    state: 'changed',
  })
  const { password } = await harness.call(resetUserPassword, { id, show: true })
  expect((await signIn('taken', password ?? '')).state).toBe('signed-in')
  await expect(harness.call(resetUserPassword, { id: '1' })).rejects.toMatchObject({ code: 'not_found' })
})
