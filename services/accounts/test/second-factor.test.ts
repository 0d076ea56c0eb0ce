/** Tests of second factors: codes of an authenticator app, backup codes, passkeys, limits of guesses, and recovery. */
import { setTimeout as pause } from 'node:timers/promises'
import {
  accountRecords,
  addSecurityKey,
  beginOneTimeCode,
  beginSecurityKey,
  changePassword,
  confirmOneTimeCode,
  createApp,
  disableUserSecondFactor,
  finishSignIn,
  issueToken,
  listSessions,
  removeSecondFactor,
  removeSecurityKey,
  renewBackupCode,
  resetUserPassword,
  resolveSession,
  resolveToken,
  sessionFactors,
  showSecondFactor,
  signInUser,
} from '@murmuration/contracts/accounts'
import { type Sql, sql } from '@murmuration/db'
import { holding } from '@murmuration/testkit'
import { createAuthenticator } from '@murmuration/testkit/browser/authenticator'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Passwords } from '../src/core/credential/passwords.js'
import { type Harness, startAccounts } from './harness.js'

const password = 'correct horse battery'
const from = { ip: '192.0.2.1', userAgent: 'Mozilla/5.0 test' }
let harness: Harness
beforeAll(async () => {
  harness = await startAccounts({ OAUTH_PASSWORD_GRANT: 'true' })
})
afterAll(() => harness.stop())

const firstStep = (name: string) => harness.call(signInUser, { email: `${name}@mail.example`, password, ...from })
const sessionOf = async (name: string): Promise<string> => (await firstStep(name)).session ?? ''
const codeOf = (secret: string, later = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 }).generate({
    timestamp: Date.now() + later,
  })
const createAccount = async (name: string): Promise<string> => {
  await harness.createAccount(name, { password })
  return sessionOf(name)
}
/**
 * Waits until enough of the present time step is left, because the code of the previous step is valid only until the
 * step ends.
 */
const inMidStep = async () => {
  const leftMs = 30_000 - (Date.now() % 30_000)
  if (leftMs < 5_000) await pause(leftMs)
}
/** Creates a user with an authenticator app. */
const withCodes = async (name: string) => {
  const session = await createAccount(name)
  const { secret } = await harness.call(beginOneTimeCode, { session, password })
  await inMidStep()
  const { backupCodes } = await harness.call(confirmOneTimeCode, { session, code: codeOf(secret, -30_000) })
  return { session, secret, backupCodes: backupCodes ?? [] }
}
const finish = (proof: string | null, answer: { code?: string; credential?: string }) =>
  harness.call(finishSignIn, { proof: proof ?? '', code: null, credential: null, ...answer, ...from })

test('D007 an authenticator secret has 160 bits and is encrypted, and each time step is accepted once', async () => {
  const session = await createAccount('alice')
  await expect(harness.call(beginOneTimeCode, { session, password: 'wrong' })).rejects.toMatchObject({
    code: 'unprocessable',
  })
  const begun = await harness.call(beginOneTimeCode, { session, password })
  expect(Secret.fromBase32(begun.secret).bytes).toHaveLength(20)
  expect(begun.address).toMatch(/^otpauth:\/\/totp\/.*alice\?.*algorithm=SHA1&digits=6&period=30/)
  expect((await harness.call(showSecondFactor, { session })).pending).toEqual(begun)
  const [row] = await harness.db('accounts').rows<{ text: string }>(sql`select o::text as text from one_time_codes o`)
  expect(row?.text).not.toContain(begun.secret)
  // Until a code confirmed the app, the password is enough.
  expect((await firstStep('alice')).state).toBe('signed-in')
  await expect(harness.call(confirmOneTimeCode, { session, code: '000000' })).rejects.toMatchObject({
    code: 'unprocessable',
  })
  const { backupCodes } = await harness.call(confirmOneTimeCode, { session, code: codeOf(begun.secret) })
  expect(backupCodes).toHaveLength(10)
  expect(await harness.call(showSecondFactor, { session })).toMatchObject({ pending: null, backupCodes: 10, keys: [] })

  const { state, proof, session: none } = await firstStep('alice')
  expect([state, none]).toEqual(['second-factor', null])
  // The code that confirmed the app is used up, and so are all earlier time steps.
  expect((await finish(proof, { code: codeOf(begun.secret) })).state).toBe('refused')
  expect((await finish(proof, { code: codeOf(begun.secret, -30_000) })).state).toBe('refused')
  expect((await finish(proof, { code: codeOf(begun.secret, 90_000) })).state).toBe('refused')
  const next = codeOf(begun.secret, 30_000)
  const signedIn = await finish(proof, { code: `${next.slice(0, 3)} ${next.slice(3)}` })
  expect(signedIn.state).toBe('signed-in')
  expect((await harness.call(resolveSession, { session: signedIn.session ?? '' })).person?.username).toBe('alice')
  const again = await firstStep('alice')
  expect((await finish(again.proof, { code: next })).state).toBe('refused')
})

test('D007 concurrent uses of one code begin one session', async () => {
  const { secret } = await withCodes('twin')
  const proofs = await Promise.all(Array.from({ length: 8 }, async () => (await firstStep('twin')).proof))
  const answers = await Promise.all(proofs.map((proof) => finish(proof, { code: codeOf(secret) })))
  expect(answers.filter((one) => one.state === 'signed-in')).toHaveLength(1)
})

test('D007 a backup code works once, and new codes invalidate the old ones', async () => {
  const { session, backupCodes } = await withCodes('bob')
  const [first = '', second = '', third = ''] = backupCodes
  const rows = await harness.db('accounts').rows<{ text: string }>(sql`select b::text as text from backup_codes b`)
  expect(rows.some((row) => row.text.includes(first))).toBe(false)
  const { proof } = await firstStep('bob')
  expect((await finish(proof, { code: first.toUpperCase().replaceAll('-', ' ') })).state).toBe('signed-in')
  const again = await firstStep('bob')
  expect((await finish(again.proof, { code: first })).state).toBe('refused')
  expect((await finish(again.proof, { code: second })).state).toBe('signed-in')
  const renewed = await harness.call(renewBackupCode, { session, password })
  expect(new Set([...renewed.backupCodes, ...backupCodes]).size).toBe(20)
  const last = await firstStep('bob')
  expect((await finish(last.proof, { code: third })).state).toBe('refused')
  expect((await finish(last.proof, { code: renewed.backupCodes[0] ?? '' })).state).toBe('signed-in')
})

test('A082 the second step requires a first step of the same user, with at most five tries in ten minutes', async () => {
  const { secret } = await withCodes('carol')
  const other = await withCodes('dave')
  expect((await finish('nothing', { code: codeOf(secret) })).state).toBe('over')
  const { proof } = await firstStep('dave')
  expect((await finish(proof, { code: codeOf(secret) })).state).toBe('refused')
  for (let i = 0; i < 4; i++) expect((await finish(proof, { code: '123456' })).state).toBe('refused')
  expect((await finish(proof, { code: codeOf(other.secret) })).state).toBe('over')
  expect((await harness.call(sessionFactors, { proof: 'nothing' })).factors).toBeNull()
  const late = await firstStep('dave')
  await harness.db('accounts').run(sql`update sign_in_steps set expires_at = now() - interval '1 second'`)
  expect((await finish(late.proof, { code: codeOf(other.secret) })).state).toBe('over')
})

test('A092 a change of the password ends sign-ins that wait for the second factor', async () => {
  const { session, secret } = await withCodes('nina')
  const { proof } = await firstStep('nina')
  await firstStep('nina')
  // A transaction that ends the second step at the same time: its session is deleted too.
  const held = await holding(
    harness.db('accounts'),
    sql`with step as (delete from sign_in_steps where hash =
          (select hash from sign_in_steps order by created_at desc limit 1) returning user_id)
      insert into sessions (id, user_id, hash, user_agent, created_at, used_at)
        select 1, user_id, '\\x01', 'racing', now(), now() from step`,
  )
  const changing = harness.call(changePassword, { session, current: password, password: 'another horse battery' })
  await held.queued(1)
  await held.letGo()
  const { session: kept } = await changing
  expect((await finish(proof, { code: codeOf(secret) })).state).toBe('over')
  expect((await harness.call(listSessions, { session: kept })).sessions).toHaveLength(1)
})

test('A092 a second step locks the user before it takes its step, so that it cannot deadlock with a change of the password', async () => {
  const { session, secret } = await withCodes('petra')
  const { proof } = await firstStep('petra')
  // The second step waits for this lock after it took its step.
  const held = await holding(harness.db('accounts'), sql`lock table sign_in_attempts in share mode`)
  const finishing = finish(proof, { code: codeOf(secret) })
  await held.queued(1)
  const unlocked = sql`select id from users where email = 'petra@mail.example' for no key update skip locked`
  expect(await harness.db('accounts').rows(unlocked)).toEqual([])
  const changing = harness.call(changePassword, { session, current: password, password: 'another horse battery' })
  await held.queued(2)
  await held.letGo()
  expect((await finishing).state).toBe('signed-in')
  const { session: kept } = await changing
  expect((await harness.call(listSessions, { session: kept })).sessions).toHaveLength(1)
})

/** Changes the password of an account while the next check of a password runs. */
const changeDuringCheck = (id: string) => {
  const running = harness.host.running.find(({ service }) => service === 'accounts')
  if (!running) throw new Error('accounts does not run')
  const { passwords } = running.ctx as unknown as { passwords: Passwords }
  const { matches } = passwords
  vi.spyOn(passwords, 'matches').mockImplementationOnce(async (...given) => {
    const isRight = await matches(...given)
    await harness.call(resetUserPassword, { id, show: true })
    return isRight
  })
}
const rowsOf = async (table: Sql, id: string) =>
  (
    await harness
      .db('accounts')
      .rows(sql`select 1 from ${table} where user_id = (select id from users where account_id = ${id})`)
  ).length

test('A092 a change of the password refuses sign-ins and token requests whose password is being checked', async () => {
  const { id } = await harness.createAccount('quentin', { password })
  const session = await sessionOf('quentin')
  changeDuringCheck(id)
  expect((await firstStep('quentin')).state).toBe('refused')
  expect(await rowsOf(sql`sessions`, id)).toBe(0)
  expect((await harness.call(resolveSession, { session })).person).toBeNull()

  const grantee = await harness.createAccount('ruth', { password })
  const app = await harness.call(createApp, { client_name: 'Tool', redirect_uris: 'https://tool.example/' })
  changeDuringCheck(grantee.id)
  const grant = { grant_type: 'password', username: 'ruth@mail.example', password }
  const client = { client_id: app.client_id, client_secret: app.client_secret }
  await expect(harness.call(issueToken, { ...grant, ...client })).rejects.toMatchObject({ message: 'invalid_grant' })

  const changer = await harness.createAccount('sven', { password })
  const own = await sessionOf('sven')
  changeDuringCheck(changer.id)
  const change = { session: own, current: password, password: 'another horse battery' }
  await expect(harness.call(changePassword, change)).rejects.toMatchObject({ code: 'unauthenticated' })
})

test('A092 a change of the password during its check begins no second step', async () => {
  await withCodes('tilda')
  const id = (await harness.db('accounts').row<{ id: string }>(sql`select id from accounts where username = 'tilda'`))
    ?.id
  changeDuringCheck(id ?? '')
  expect((await firstStep('tilda')).state).toBe('refused')
  expect(await rowsOf(sql`sign_in_steps`, id ?? '')).toBe(0)
})

test('A092 a sign-in reads the account after it waited for the lock of the user', async () => {
  await harness.createAccount('vera', { password })
  const held = await holding(
    harness.db('accounts'),
    sql`with marked as (update accounts set memorial = true where username = 'vera' returning id)
      update users set locale = locale where account_id in (select id from marked)`,
  )
  const signingIn = firstStep('vera')
  await held.queued(1)
  await held.letGo()
  expect((await signingIn).state).toBe('refused')
})

/** Begins to add a security key, and returns the function that adds it. */
const addKey = async (session: string) => {
  const { options, step } = await harness.call(beginSecurityKey, { session, password })
  const credential = createAuthenticator().create(options, harness.origin)
  return () => harness.call(addSecurityKey, { session, step, name: '', credential })
}

const factorChanges: Record<string, (name: string) => Promise<() => Promise<unknown>>> = {
  'creating the secret of an authenticator app': async (name) => {
    const session = await createAccount(name)
    return () => harness.call(beginOneTimeCode, { session, password })
  },
  'adding an authenticator app': async (name) => {
    const session = await createAccount(name)
    const { secret } = await harness.call(beginOneTimeCode, { session, password })
    return () => harness.call(confirmOneTimeCode, { session, code: codeOf(secret) })
  },
  'adding a security key': async (name) => addKey(await createAccount(name)),
  'removing all second factors': async (name) => {
    const { session } = await withCodes(name)
    return () => harness.call(removeSecondFactor, { session, password })
  },
  'removing a security key': async (name) => {
    const { session } = await withCodes(name)
    await (await addKey(session))()
    const id = (await harness.call(showSecondFactor, { session })).keys[0]?.id ?? ''
    return () => harness.call(removeSecurityKey, { session, password, id })
  },
  'renewing backup codes': async (name) => {
    const { session } = await withCodes(name)
    return () => harness.call(renewBackupCode, { session, password })
  },
}

test.each([
  ['adding an authenticator app', 'second-factor', sql`sessions`],
  ['adding a security key', 'second-factor', sql`sessions`],
  ['removing all second factors', 'signed-in', sql`sessions`],
  ['removing a security key', 'second-factor', sql`security_keys`],
  ['renewing backup codes', 'second-factor', sql`backup_codes`],
])('D013 a sign-in waits for %s, and its state is %s', async (change, state, table) => {
  const name = `waits_${change.replaceAll(' ', '_')}`.slice(0, 30)
  const run = await factorChanges[change]?.(name)
  const held = await holding(harness.db('accounts'), sql`lock table ${table} in share mode`)
  const changing = run?.()
  await held.queued(1)
  const signingIn = firstStep(name)
  await held.queued(2)
  await held.letGo()
  await changing
  expect((await signingIn).state).toBe(state)
})

test.each(Object.keys(factorChanges))('A092 %s is refused if the session ends meanwhile', async (change) => {
  const name = `ends_${change.replaceAll(' ', '_')}`.slice(0, 30)
  const run = await factorChanges[change]?.(name)
  const factors = () =>
    harness.db('accounts').row(sql`select
      (select confirmed_at is not null from one_time_codes where user_id = u.id) as confirmed,
      (select count(*) from security_keys where user_id = u.id) as keys,
      (select string_agg(hash::text, ' ' order by hash) from backup_codes where user_id = u.id) as codes
      from users u where email = ${`${name}@mail.example`}`)
  const before = await factors()
  // A change of the password locks the user and deletes sessions, too.
  const held = await holding(
    harness.db('accounts'),
    sql`with locked as (select id from users where email = ${`${name}@mail.example`} for no key update)
      delete from sessions where user_id in (select id from locked)`,
  )
  const refused = expect(run?.()).rejects.toMatchObject({ code: 'unauthenticated' })
  await held.queued(1)
  await held.letGo()
  await refused
  expect(await factors()).toEqual(before)
})

const lockOf = (name: string) => sql`select 1 from users where email = ${`${name}@mail.example`} for no key update`

test('a code of a secret that was replaced meanwhile neither confirms an authenticator app nor signs in', async () => {
  const session = await createAccount('wanda')
  const { secret: first } = await harness.call(beginOneTimeCode, { session, password })
  const held = await holding(harness.db('accounts'), lockOf('wanda'))
  const replacing = harness.call(beginOneTimeCode, { session, password })
  await held.queued(1)
  await inMidStep()
  const refused = expect(
    harness.call(confirmOneTimeCode, { session, code: codeOf(first, -30_000) }),
  ).rejects.toMatchObject({ code: 'unprocessable' })
  await held.queued(2)
  await held.letGo()
  const { secret } = await replacing
  await refused
  expect(await harness.call(showSecondFactor, { session })).toMatchObject({ codesSince: null, pending: { secret } })
  await harness.call(confirmOneTimeCode, { session, code: codeOf(secret, -30_000) })

  const { proof } = await firstStep('wanda')
  const replaced = await holding(
    harness.db('accounts'),
    sql`with locked as (select id from users where email = 'wanda@mail.example' for no key update)
      update one_time_codes set secret_sealed = secret_sealed || 'x' where user_id in (select id from locked)`,
  )
  const finishing = finish(proof, { code: codeOf(secret) })
  await replaced.queued(1)
  await replaced.letGo()
  expect((await finishing).state).toBe('refused')
})

test('backup codes are not renewed if the second factors are removed meanwhile', async () => {
  const { session } = await withCodes('xaver')
  const held = await holding(harness.db('accounts'), lockOf('xaver'))
  const removing = harness.call(removeSecondFactor, { session, password })
  await held.queued(1)
  const refused = expect(harness.call(renewBackupCode, { session, password })).rejects.toMatchObject({
    code: 'unprocessable',
  })
  await held.queued(2)
  await held.letGo()
  await removing
  await refused
  expect(await harness.call(showSecondFactor, { session })).toMatchObject({ codesSince: null, backupCodes: 0 })
})

test('D008 a passkey signs in for its origin and its challenge, once', async () => {
  const { origin } = harness
  const session = await createAccount('erin')
  const key = createAuthenticator()
  const begin = () => harness.call(beginSecurityKey, { session, password })
  for (const lie of [{ origin: 'https://evil.example' }, { rpId: 'evil.example' }, { challenge: 'AAAA' }]) {
    const { options, step } = await begin()
    const credential = createAuthenticator().create(options, origin, lie)
    await expect(harness.call(addSecurityKey, { session, step, name: 'x', credential })).rejects.toMatchObject({
      code: 'unprocessable',
    })
  }
  const { options, step } = await begin()
  const credential = key.create(options, origin)
  const { backupCodes } = await harness.call(addSecurityKey, { session, step, name: ' Blue key ', credential })
  expect(backupCodes).toHaveLength(10)
  await expect(harness.call(addSecurityKey, { session, step, name: 'x', credential })).rejects.toMatchObject({
    code: 'unprocessable',
  })
  const shown = await harness.call(showSecondFactor, { session })
  expect(shown.keys).toEqual([
    { id: expect.any(String), name: 'Blue key', created_at: expect.any(String), used_at: null },
  ])

  const { proof } = await firstStep('erin')
  const request = async () => (await harness.call(sessionFactors, { proof: proof ?? '' })).factors?.keyOptions ?? ''
  for (const lie of [{ origin: 'https://evil.example' }, { rpId: 'evil.example' }, { challenge: 'AAAA' }]) {
    const credential = key.get(await request(), origin, lie)
    expect((await finish(proof, { credential })).state, JSON.stringify(lie)).toBe('refused')
  }
  const answer = key.get(await request(), origin, { count: 7 })
  const once = await Promise.all(Array.from({ length: 20 }, () => finish(proof, { credential: answer })))
  expect(
    once.filter((one) => one.state === 'signed-in'),
    'A083',
  ).toHaveLength(1)
  // A counter that does not grow means that the key was copied.
  const copied = await firstStep('erin')
  const { factors } = await harness.call(sessionFactors, { proof: copied.proof ?? '' })
  expect(factors?.codes).toBe(false)
  const stale = key.get(factors?.keyOptions ?? '', origin, { count: 7 })
  expect((await finish(copied.proof, { credential: stale })).state).toBe('refused')
  expect((await finish(copied.proof, { credential: 'no json' })).state).toBe('refused')
})

test('D008 a passkey of another user is refused', async () => {
  const { origin } = harness
  const [mine, theirs] = [await createAccount('frank'), await createAccount('grace')]
  const keys = { frank: createAuthenticator(), grace: createAuthenticator() }
  for (const [session, key] of [
    [mine, keys.frank],
    [theirs, keys.grace],
  ] as const) {
    const { options, step } = await harness.call(beginSecurityKey, { session, password })
    await harness.call(addSecurityKey, { session, step, name: '', credential: key.create(options, origin) })
  }
  const { proof } = await firstStep('frank')
  const { factors } = await harness.call(sessionFactors, { proof: proof ?? '' })
  const credential = keys.grace.get(factors?.keyOptions ?? '', origin)
  expect((await finish(proof, { credential })).state).toBe('refused')
})

test('D009 a user removes second factors with the password, and an operator for a user who lost them', async () => {
  const { session } = await withCodes('heidi')
  for (const off of [removeSecondFactor, beginOneTimeCode, renewBackupCode, beginSecurityKey])
    await expect(harness.call(off, { session, password: 'wrong' })).rejects.toMatchObject({ code: 'unprocessable' })
  await expect(harness.call(beginOneTimeCode, { session, password })).rejects.toMatchObject({ code: 'conflict' })
  expect((await firstStep('heidi')).state).toBe('second-factor')
  await harness.call(removeSecondFactor, { session, password })
  expect((await firstStep('heidi')).state).toBe('signed-in')
  expect((await harness.call(showSecondFactor, { session })).backupCodes).toBe(0)

  const ivan = await withCodes('ivan')
  const { records } = await harness.call(accountRecords, { handles: ['ivan'] })
  const id = records[0]?.id ?? ''
  for (let n = 0; n < 2; n++)
    expect(await harness.call(disableUserSecondFactor, { id, dry_run: true })).toEqual({ removed: true })
  expect(await harness.call(disableUserSecondFactor, { id })).toEqual({ removed: true })
  expect(await harness.call(disableUserSecondFactor, { id, dry_run: true })).toEqual({ removed: false })
  expect(await harness.call(disableUserSecondFactor, { id })).toEqual({ removed: false })
  await expect(harness.call(disableUserSecondFactor, { id: '1' })).rejects.toMatchObject({
    code: 'not_found',
  })
  expect((await harness.call(resolveSession, { session: ivan.session })).person).toBeNull()
  expect((await firstStep('ivan')).state).toBe('signed-in')
})

test('removing the last key removes the backup codes', async () => {
  const session = await createAccount('judy')
  const { options, step } = await harness.call(beginSecurityKey, { session, password })
  const credential = createAuthenticator().create(options, harness.origin)
  await harness.call(addSecurityKey, { session, step, name: '', credential })
  const { keys } = await harness.call(showSecondFactor, { session })
  const id = keys[0]?.id ?? ''
  await expect(harness.call(removeSecurityKey, { session, password, id: '1' })).rejects.toMatchObject({
    code: 'not_found',
  })
  await harness.call(removeSecurityKey, { session, password, id })
  expect(await harness.call(showSecondFactor, { session })).toMatchObject({ keys: [], backupCodes: 0 })
  expect((await firstStep('judy')).state).toBe('signed-in')
})

test('D013 a new second factor ends other sessions', async () => {
  const session = await createAccount('kim')
  const old = await sessionOf('kim')
  const { secret } = await harness.call(beginOneTimeCode, { session, password })
  await harness.call(confirmOneTimeCode, { session, code: codeOf(secret) })
  expect((await harness.call(resolveSession, { session: old })).person).toBeNull()
  expect((await harness.call(listSessions, { session })).sessions).toHaveLength(1)
})

test('the password grant is refused for a user with a second factor', async () => {
  await withCodes('leo')
  const app = await harness.call(createApp, { client_name: 'Tool', redirect_uris: 'https://tool.example/' })
  const grant = {
    grant_type: 'password',
    username: 'leo@mail.example',
    password,
    client_id: app.client_id,
    client_secret: app.client_secret,
  }
  await expect(harness.call(issueToken, grant)).rejects.toMatchObject({ message: 'invalid_grant' })
})

test('D010 if a role requires a second factor, tokens are refused without one and the pages show the reason', async () => {
  await harness.createAccount('mallory', { password, role: 'Moderator' })
  const token = await harness.token('mallory')
  const state = async () => (await harness.call(resolveToken, { token, ip: null })).found?.state
  expect(await state()).toBe('ok')
  await harness.db('accounts').run(sql`update roles set require_2fa = true where name = 'Moderator'`)
  expect(await state()).toBe('disabled')
  const session = await sessionOf('mallory')
  expect((await harness.call(resolveSession, { session })).person).toMatchObject({ state: 'ok', needsFactor: true })
  expect((await harness.call(showSecondFactor, { session })).demanded).toBe(true)
  const { secret } = await harness.call(beginOneTimeCode, { session, password })
  await harness.call(confirmOneTimeCode, { session, code: codeOf(secret) })
  expect(await state()).toBe('ok')
  expect((await harness.call(resolveSession, { session })).person?.needsFactor).toBe(false)
})

test('D013 removing a security key ends other sessions', async () => {
  const { session, backupCodes } = await withCodes('liam')
  const { options, step } = await harness.call(beginSecurityKey, { session, password })
  const credential = createAuthenticator().create(options, harness.origin)
  await harness.call(addSecurityKey, { session, step, name: '', credential })
  const { proof } = await firstStep('liam')
  const other = (await finish(proof, { code: backupCodes[0] ?? '' })).session ?? ''
  const [key] = (await harness.call(showSecondFactor, { session })).keys
  await harness.call(removeSecurityKey, { session, password, id: key?.id ?? '' })
  const isSignedIn = async (one: string) => (await harness.call(resolveSession, { session: one })).person !== null
  expect(other).not.toBe('')
  expect([await isSignedIn(session), await isSignedIn(other)]).toEqual([true, false])
})
