/** Tests of e-mail addresses: confirmation, change, and what responses reveal. */
import {
  changeEmail,
  confirmEmail,
  emailConfirmations,
  emailState,
  requestPasswordReset,
  resendEmail,
  resolveToken,
  signInUser,
} from '@murmuration/contracts/accounts'
import { olderNames } from '@murmuration/contracts/kit'
import { type Sql, sql } from '@murmuration/db'
import { holding } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Context } from '../src/context.js'
import { RESPONSE_MS } from '../src/core/credential/constant-time.js'
import { type JoiningHarness, startJoining } from './joining-harness.js'

let harness: JoiningHarness
beforeAll(async () => {
  harness = await startJoining()
  await harness.policy({ registrations_mode: 'open' })
})
afterAll(() => harness.stop())

const PASSWORD = 'a long password'
const browser = async (email: string): Promise<string> =>
  (await harness.call(signInUser, { email, password: PASSWORD, ip: null, userAgent: null })).session ?? ''
const confirm = (token: string) => harness.call(confirmEmail, { token })
const kinds = async (to: string) => (await harness.emails(to)).map((one) => one.kind)

test('F066 of twenty concurrent uses of a confirmation link one succeeds', async () => {
  const { input } = await harness.join()
  const token = await harness.secret(input.email, 'confirmation')
  const states = await Promise.all(Array.from({ length: 20 }, () => confirm(token)))
  expect(states.map((one) => one.state).sort()).toEqual(['confirmed', ...Array.from({ length: 19 }, () => 'used')])
  expect(await confirm('nonsense')).toEqual({ state: 'used' })
})

test('a link expires after two days', async () => {
  const { input } = await harness.join()
  const token = await harness.secret(input.email, 'confirmation')
  harness.moveTo(172_801_000)
  expect(await confirm(token)).toEqual({ state: 'used' })
  harness.moveTo(0)
  expect(await confirm(token)).toEqual({ state: 'confirmed' })
})

test('S-125 A098 only the application that created the account can request the e-mail again, also to another address', async () => {
  const { as, input, token } = await harness.join()
  const email = input.email
  const sendRequest = (input: object, who: typeof as) => harness.request(emailConfirmations, input, who)
  expect((await sendRequest({}, as)).meta.status).toBe(200)
  expect(await kinds(email)).toEqual(['confirmation', 'confirmation'])
  const other = await sendRequest({}, { ...as, app: { id: '8', tokenId: '80', scopes: ['write'] } })
  expect([other.meta.status, new TextDecoder().decode(other.bytes)]).toEqual([
    403,
    expect.stringContaining('only available to the application the user originally signed-up with'),
  ])
  expect((await sendRequest({ email: 'nonsense' }, as)).meta.status).toBe(422)
  expect((await sendRequest({ email: 'second@mail.example' }, as)).meta.status).toBe(200)
  // Links sent to the first address no longer work.
  expect(await kinds(email)).toEqual([])
  expect(await confirm(await harness.secret('second@mail.example', 'confirmation'))).toEqual({ state: 'confirmed' })
  expect((await harness.call(resolveToken, { token, ip: null })).found?.state).toBe('ok')
  const late = await sendRequest({}, as)
  expect([late.meta.status, new TextDecoder().decode(late.bytes)]).toEqual([
    403,
    expect.stringContaining('only available while the e-mail is awaiting confirmation'),
  ])
})

test('D009 an application can request the e-mail of a change of a confirmed address, but not to another address', async () => {
  const { as, input } = await harness.join({ password: PASSWORD })
  await confirm(await harness.secret(input.email, 'confirmation'))
  const session = await browser(input.email)
  await harness.call(changeEmail, { session, email: 'wanted@mail.example', password: PASSWORD })
  const sendRequest = (email: string) => harness.request(emailConfirmations, email === '' ? {} : { email }, as)
  const { meta, bytes } = await sendRequest('unwanted@mail.example')
  expect([meta.status, new TextDecoder().decode(bytes)]).toEqual([403, expect.stringContaining('not allowed')])
  expect(await kinds('unwanted@mail.example')).toEqual([])
  for (const email of ['', 'WANTED@mail.example']) expect((await sendRequest(email)).meta.status).toBe(200)
  expect(await kinds('wanted@mail.example')).toHaveLength(3)
  expect(await harness.call(emailState, { session })).toMatchObject({
    email: input.email,
    unconfirmed: 'wanted@mail.example',
  })
})

test('A090 the e-mail is sent at most six times in half an hour, whatever requests it', async () => {
  const { as, input } = await harness.join()
  const email = input.email
  for (const way of ['app', 'page', 'app', 'page', 'app'])
    if (way === 'app') expect((await harness.request(emailConfirmations, {}, as)).meta.status).toBe(200)
    else await harness.call(resendEmail, { email })
  expect((await harness.request(emailConfirmations, {}, as)).meta.status).toBe(429)
  await harness.call(resendEmail, { email })
  expect(await kinds(email)).toHaveLength(6)
})

test('D005 neither the response nor its time shows whether a user exists', async () => {
  await harness.createAccount('known')
  const { input } = await harness.join()
  /** Shortest of several response times in milliseconds. It contains only the intended delay. */
  const shortest = async (
    email: string,
    operation: typeof requestPasswordReset | typeof resendEmail,
    times: number,
  ) => {
    const one = async () => {
      const start = performance.now()
      expect(await harness.call(operation, { email })).toEqual({})
      return performance.now() - start
    }
    return Math.min(...(await Promise.all(Array.from({ length: times }, one))))
  }
  // Each response takes at least as long as the work at its slowest, so that a busy machine makes no difference.
  for (const email of ['known@mail.example', 'unknown@mail.example'])
    expect(await shortest(email, requestPasswordReset, 4)).toBeGreaterThanOrEqual(RESPONSE_MS - 1)
  for (const email of [input.email, 'nobody@mail.example'])
    expect(await shortest(email, resendEmail, 1)).toBeGreaterThanOrEqual(RESPONSE_MS - 1)
  expect(await kinds('known@mail.example')).toHaveLength(4)
  expect(await kinds('unknown@mail.example')).toEqual([])
})

test('D009 a new address requires the password, is used after its confirmation, and the old address gets an e-mail', async () => {
  await harness.createAccount('mover', { password: PASSWORD })
  const session = await browser('mover@mail.example')
  const change = (email: string, password?: string) =>
    harness.request(changeEmail, { session, email, ...(password ? { password } : {}) })
  expect((await change('moved@mail.example')).meta.status).toBe(422)
  expect((await change('moved@mail.example', 'wrong password')).meta.status).toBe(422)
  expect((await change('known@mail.example', PASSWORD)).meta.status).toBe(422)
  expect((await change('moved@mail.example', PASSWORD)).meta.status).toBe(200)
  expect(await harness.call(emailState, { session })).toEqual({
    email: 'mover@mail.example',
    unconfirmed: 'moved@mail.example',
    confirmed: true,
  })
  expect(await harness.emails('mover@mail.example')).toMatchObject([
    { kind: 'email-changed', [olderNames.mailValues]: { email: 'moved@mail.example' }, link: null },
  ])
  await harness.call(requestPasswordReset, { email: 'mover@mail.example' })
  const old = await harness.secret('mover@mail.example', 'password-reset')
  expect(old).not.toBe('')
  expect(await confirm(await harness.secret('moved@mail.example', 'change-confirmation'))).toEqual({ state: 'changed' })
  expect(await harness.call(emailState, { session })).toMatchObject({ email: 'moved@mail.example', unconfirmed: null })
  // A password reset link that was sent to the old address is no longer valid.
  expect(await kinds('mover@mail.example')).toEqual(['email-changed'])
})

test('D009 a change of the address is cancelled with the present address and the password', async () => {
  await harness.createAccount('stayer', { password: PASSWORD })
  const session = await browser('stayer@mail.example')
  const change = (email: string, given: string) => harness.request(changeEmail, { session, email, password: given })
  const pending = async () => (await harness.call(emailState, { session })).unconfirmed
  expect((await change('left@mail.example', PASSWORD)).meta.status).toBe(200)
  const secret = await harness.secret('left@mail.example', 'change-confirmation')
  expect((await change('stayer@mail.example', 'wrong password')).meta.status).toBe(422)
  expect((await change('', PASSWORD)).meta.status).toBe(200)
  expect(await pending()).toBe('left@mail.example')
  expect(await harness.call(changeEmail, { session, email: 'STAYER@mail.example', password: PASSWORD })).toEqual({
    state: 'same',
  })
  expect(await pending()).toBeNull()
  expect(await confirm(secret)).toEqual({ state: 'used' })
})

test('an address that another user got meanwhile stays with that user', async () => {
  await harness.createAccount('slow', { password: PASSWORD })
  const session = await browser('slow@mail.example')
  await harness.call(changeEmail, { session, email: 'wanted@mail.example', password: PASSWORD })
  const { input } = await harness.join({ email: 'Wanted@mail.example' })
  expect(await confirm(await harness.secret('wanted@mail.example', 'change-confirmation'))).toEqual({ state: 'taken' })
  expect(await confirm(await harness.secret(input.email, 'confirmation'))).toEqual({ state: 'confirmed' })
})

test('D001 the database contains no secret of a link', async () => {
  const { input } = await harness.join()
  const token = await harness.secret(input.email, 'confirmation')
  const tables = await Promise.all([
    harness.db('accounts').rows<{ line: string }>(sql`select t::text as line from letters t`),
    harness.db('accounts').rows<{ line: string }>(sql`select t::text as line from mail_links t`),
    harness.db('accounts').rows<{ line: string }>(sql`select t::text as line from outbox t`),
  ])
  const dump = tables
    .flat()
    .map((row) => row.line)
    .join('\n')
  expect(dump.length).toBeGreaterThan(1_000)
  expect(dump).not.toContain(token)
  const outbox = (tables[2] ?? []).map((row) => row.line).join('\n')
  expect(outbox).not.toContain('@mail.example')
})

test('a confirmation link locks the user before it is used up, so that it cannot deadlock with a change of the address', async () => {
  const { input } = await harness.join()
  const token = await harness.secret(input.email, 'confirmation')
  const held = await holding(harness.db('accounts'), sql`lock table mail_links in share mode`)
  const confirming = confirm(token)
  await held.queued(1)
  const unlocked = sql`select id from users where email = ${input.email} for no key update skip locked`
  expect(await harness.db('accounts').rows(unlocked)).toEqual([])
  await held.letGo()
  expect(await confirming).toEqual({ state: 'confirmed' })
})

/** Runs a request while a transaction changes what `change` says, and lets the transaction end when the request waits for it. */
const during = async <T>(change: Sql, run: () => Promise<T>): Promise<T> => {
  const held = await holding(harness.db('accounts'), change)
  const running = run()
  await Promise.race([running, held.queued(1)])
  await held.letGo()
  return running
}
const confirming = (email: string) => sql`update users set confirmed_at = now() where email = ${email}`

test('D009 a change of an address that is confirmed meanwhile requires the password, and its link works', async () => {
  const change = async (name: string, address: string, password?: string) => {
    await harness.createAccount(name, { password: PASSWORD, confirmed: false })
    const session = await browser(`${name}@mail.example`)
    const input = { session, email: address, ...(password ? { password } : {}) }
    const { meta } = await during(confirming(`${name}@mail.example`), () => harness.request(changeEmail, input))
    return { status: meta.status, session }
  }
  const refused = await change('waiting1', 'other1@mail.example')
  expect(refused.status).toBe(422)
  expect(await harness.call(emailState, { session: refused.session })).toMatchObject({
    email: 'waiting1@mail.example',
    unconfirmed: null,
  })
  expect(await kinds('other1@mail.example')).toEqual([])

  const changed = await change('waiting2', 'other2@mail.example', PASSWORD)
  expect(changed.status).toBe(200)
  expect(await confirm(await harness.secret('other2@mail.example', 'change-confirmation'))).toEqual({
    state: 'changed',
  })

  const same = await change('waiting3', 'waiting3@mail.example')
  expect(same.status).toBe(200)
  expect(await kinds('waiting3@mail.example')).toEqual(['confirmation'])
})

test('the password is verified without a locked user if the address is confirmed meanwhile', async () => {
  await harness.createAccount('waiting4', { password: PASSWORD, confirmed: false })
  const session = await browser('waiting4@mail.example')
  const { ctx } = harness.host.running.find((one) => one.service === 'accounts')!
  const { passwords } = ctx as unknown as Context
  const unlocked = sql`select email from users where email = 'waiting4@mail.example' for update skip locked`
  const matches = passwords.matches
  const seen: number[] = []
  const verified = vi.spyOn(passwords, 'matches').mockImplementation(async (...given) => {
    seen.push((await harness.db('accounts').rows(unlocked)).length)
    return matches(...given)
  })
  const input = { session, email: 'other4@mail.example', password: PASSWORD }
  const { meta } = await during(confirming('waiting4@mail.example'), () => harness.request(changeEmail, input))
  verified.mockRestore()
  expect([meta.status, seen]).toEqual([200, [1]])
})

test('an application cannot change the address if its token is revoked or the address confirmed meanwhile', async () => {
  for (const [change, status] of [
    [(email: string) => confirming(email), 403],
    [
      (email: string) => sql`with locked as (select id from users where email = ${email} for no key update)
        update access_tokens set revoked_at = now() where user_id in (select id from locked)`,
      401,
    ],
  ] as const) {
    const { as, input } = await harness.join()
    const email = `other${status}@mail.example`
    const { meta } = await during(change(input.email), () => harness.request(emailConfirmations, { email }, as))
    expect(meta.status).toBe(status)
    expect(await kinds(email)).toEqual([])
  }
})

test('no confirmation is sent again to an address that is confirmed meanwhile', async () => {
  const { input } = await harness.join()
  await during(confirming(input.email), () => harness.call(resendEmail, { email: input.email }))
  expect(await kinds(input.email)).toEqual(['confirmation'])
})
