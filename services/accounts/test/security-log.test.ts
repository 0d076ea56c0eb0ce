/** Tests of log lines of sign-ins, credentials, tokens and roles: user and kind, without secrets. */
import {
  addSecurityKey,
  beginOneTimeCode,
  beginSecurityKey,
  changeEmail,
  changePassword,
  confirmEmail,
  confirmOneTimeCode,
  createAccountByOperator,
  createApp,
  createTokenByOperator,
  disableUserSecondFactor,
  finishSignIn,
  issueToken,
  type LoginMail,
  openLoginMail,
  removeSecondFactor,
  removeSecurityKey,
  renewBackupCode,
  requestPasswordReset,
  resetPassword,
  resetUserPassword,
  revokeGrant,
  revokeToken,
  showSecondFactor,
  signInUser,
} from '@murmuration/contracts/accounts'
import { sql } from '@murmuration/db'
import { type LogLine, logLines } from '@murmuration/testkit'
import { createAuthenticator } from '@murmuration/testkit/browser/authenticator'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startAccounts } from './harness.js'

const password = 'correct horse battery'
let harness: Harness
beforeAll(async () => {
  harness = await startAccounts()
})
afterAll(() => harness.stop())

const make = (username: string, role?: string, requestId?: string) =>
  harness.call(
    createAccountByOperator,
    { username, email: `${username}@mail.example`, password, confirmed: true, ...(role ? { role } : {}) },
    null,
    requestId ? { requestId } : {},
  )
const signIn = (typed: string, requestId: string) =>
  harness.call(
    signInUser,
    { email: 'alice@mail.example', password: typed, ip: '192.0.2.77', userAgent: 'Agent of Alice' },
    null,
    { requestId },
  )
/** Log lines of one request, without the fields that all lines have. */
const of = (lines: readonly LogLine[], requestId: string) =>
  lines
    .filter((line) => line.requestId === requestId)
    .map(({ level, service, time, requestId: _id, traceId, spanId, ...line }) => line)

test('D071 each sign-in, issued token and revocation is one log line without secrets', async () => {
  const { id: accountId } = await make('alice')
  const user = await harness
    .db('accounts')
    .row<{ id: string }>(sql`select id from users where account_id = ${accountId}`)
  const userId = user?.id
  const app = await harness.call(createApp, {
    client_name: 'Test',
    redirect_uris: 'https://client.example/callback',
    scopes: 'read write',
  })
  const client = { client_id: app.client_id, client_secret: app.client_secret }
  const secrets = [password, 'wrong password', 'alice@mail.example', '192.0.2.77', 'Agent of Alice', app.client_secret]

  const lines = await logLines(harness, 'accounts', async () => {
    expect(await signIn('wrong password', 'bad')).toMatchObject({ state: 'refused' })
    const { session } = await signIn(password, 'good')
    const grant = { ...client, grant_type: 'client_credentials', scope: 'read' }
    const first = await harness.call(issueToken, grant, null, { requestId: 'given' })
    const again = await harness.call(issueToken, grant, null, { requestId: 'again' })
    expect(again.access_token).toBe(first.access_token)
    const own = { username: 'alice', scopes: 'read' }
    const mine = await harness.call(createTokenByOperator, own, null, { requestId: 'by operator' })
    const revoke = { ...client, token: first.access_token }
    await harness.call(revokeToken, revoke, null, { requestId: 'revoked' })
    await harness.call(revokeToken, revoke, null, { requestId: 'revoked before' })
    const { application_id: id } = (await harness
      .db('accounts')
      .row<{ application_id: string }>(sql`select application_id from access_tokens where user_id = ${userId}`)) ?? {
      application_id: '',
    }
    await harness.call(revokeGrant, { session: session ?? '', id }, null, { requestId: 'grant' })
    const more = await harness.call(createTokenByOperator, own, null, { requestId: 'one more' })
    const changed = { session: session ?? '', current: password, password: 'another horse battery' }
    await harness.call(changePassword, changed, null, { requestId: 'password' })
    secrets.push(first.access_token, mine.token, more.token, session ?? '', changed.password)
  })

  expect(of(lines, 'bad')).toEqual([{ message: 'a sign-in failed', userId, method: 'password' }])
  expect(of(lines, 'good')).toEqual([{ message: 'signed in', userId, method: 'password' }])
  const [given] = of(lines, 'given')
  expect(of(lines, 'given')).toEqual([
    { message: 'a token was issued', tokenId: given?.tokenId, applicationId: app.id, userId: null, fresh: true },
  ])
  expect(of(lines, 'again')).toEqual([{ ...given, fresh: false }])
  expect(of(lines, 'revoked')).toEqual([
    { message: 'tokens were revoked', tokenIds: [given?.tokenId], tokens: 1, userId: null },
  ])
  expect(of(lines, 'revoked before')).toEqual([])
  for (const [start, end, more] of [
    ['by operator', 'grant', []],
    ['one more', 'password', [{ message: 'a password was changed', userId, by: 'self' }]],
  ] as const) {
    const [mine] = of(lines, start)
    expect(mine).toMatchObject({ message: 'a token was issued', userId, fresh: true })
    expect(of(lines, end)).toEqual([
      ...more,
      { message: 'tokens were revoked', tokenIds: [mine?.tokenId], tokens: 1, userId },
    ])
  }
  const text = JSON.stringify(lines)
  expect(secrets.filter((one) => text.includes(one))).toEqual([])
})

test('D071 an assigned role is one log line, and an account without a role has none', async () => {
  const made: string[] = []
  const lines = await logLines(harness, 'accounts', async () => {
    made.push((await make('mona', 'Moderator', 'with')).id, (await make('paul', undefined, 'without')).id)
  })
  const row = await harness
    .db('accounts')
    .row<{ id: string; role_id: string }>(sql`select id, role_id from users where account_id = ${made[0]}`)
  expect(of(lines, 'with')).toEqual([
    { message: 'a role was assigned', accountId: made[0], userId: row?.id, roleId: row?.role_id },
  ])
  expect(of(lines, 'without')).toEqual([])
  expect(JSON.stringify(lines)).not.toContain(password)
})

test('D071 each change of a second factor, backup codes, password or address is one log line without secrets', async () => {
  const db = harness.db('accounts')
  const email = 'carla@mail.example'
  let userId: string | undefined
  const secrets: string[] = [email, 'new@mail.example']
  /** The secret in the link of the newest e-mail of this kind. */
  const linkOf = async (kind: LoginMail['kind']) => {
    const rows = await db.rows<{ id: string }>(sql`select id from letters where user_id = ${userId} order by id desc`)
    const opened = await Promise.all(rows.map(({ id }) => harness.call(openLoginMail, { id })))
    const { letter } = opened.find((one) => one.letter?.kind === kind) ?? {}
    const secret = new URL(letter?.link ?? '').searchParams.values().next().value ?? ''
    secrets.push(secret)
    return secret
  }
  const lines = await logLines(harness, 'accounts', async () => {
    const first = async (typed: string) => {
      const from = { ip: null, userAgent: null }
      const { proof, session } = await harness.call(signInUser, { email, password: typed, ...from })
      secrets.push(typed)
      return { proof: proof ?? '', session: session ?? '' }
    }
    const as = (requestId: string) => [null, { requestId }] as const
    const { id } = await make('carla')
    userId = (await db.row<{ id: string }>(sql`select id from users where account_id = ${id}`))?.id
    const { session } = await first(password)
    const { secret } = await harness.call(beginOneTimeCode, { session, password }, ...as('begun'))
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
    const { backupCodes } = await harness.call(confirmOneTimeCode, { session, code }, ...as('app added'))
    const { proof } = await first(password)
    const answer = { proof, code: backupCodes?.[0] ?? '', credential: null, ip: null, userAgent: null }
    await harness.call(finishSignIn, answer, ...as('backup code used'))
    const renewed = await harness.call(renewBackupCode, { session, password }, ...as('renewed'))
    secrets.push(secret, ...(backupCodes ?? []), ...renewed.backupCodes)
    const { options, step } = await harness.call(beginSecurityKey, { session, password })
    const credential = createAuthenticator().create(options, harness.origin)
    await harness.call(addSecurityKey, { session, step, name: 'Blue key', credential }, ...as('key added'))
    const [key] = (await harness.call(showSecondFactor, { session })).keys
    await harness.call(removeSecurityKey, { session, password, id: key?.id ?? '' }, ...as('key removed'))
    await harness.call(removeSecondFactor, { session, password }, ...as('all removed'))
    await harness.call(removeSecondFactor, { session, password }, ...as('nothing to remove'))
    await harness.call(disableUserSecondFactor, { id }, ...as('nothing for an operator'))

    await harness.call(changeEmail, { session, email: 'new@mail.example', password }, ...as('asked'))
    await harness.call(confirmEmail, { token: await linkOf('change-confirmation') }, ...as('address changed'))
    await harness.call(requestPasswordReset, { email: 'new@mail.example' }, ...as('forgot'))
    const reset = { token: await linkOf('password-reset'), password: 'third horse battery' }
    await harness.call(resetPassword, reset, ...as('reset'))
    const shown = await harness.call(resetUserPassword, { id, show: true }, ...as('by staff'))
    secrets.push(reset.password, shown.password ?? '', 'Blue key')
  })
  const line = (message: string, more: object = {}) => ({ message, userId, ...more })
  const made = line('backup codes were made')
  const expected: Record<string, object[]> = {
    begun: [],
    'app added': [line('a second factor was added', { kind: 'app' }), made],
    'backup code used': [line('signed in', { method: 'backup-code' })],
    renewed: [made],
    'key added': [line('a second factor was added', { kind: 'key' })],
    'key removed': [line('a second factor was removed', { kind: 'key', by: 'self' })],
    'all removed': [line('a second factor was removed', { kind: 'all', by: 'self' })],
    'nothing to remove': [],
    'nothing for an operator': [],
    asked: [],
    'address changed': [line('an e-mail address was changed')],
    forgot: [],
    reset: [line('a password was changed', { by: 'link' })],
    'by staff': [line('a password was changed', { by: 'staff' })],
  }
  const logged = Object.fromEntries(Object.keys(expected).map((requestId) => [requestId, of(lines, requestId)]))
  expect(logged).toEqual(expected)
  const text = JSON.stringify(lines)
  expect(secrets.filter((one) => one === '' || text.includes(one))).toEqual([])
})
