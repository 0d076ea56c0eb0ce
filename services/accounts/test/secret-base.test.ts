/** Tests of a changed SECRET_KEY_BASE: signing keys and authenticator secrets of the base before, and unreadable ones. */
import * as accounts from '@murmuration/contracts/accounts'
import { type Sql, sql } from '@murmuration/db'
import { derive, secretCipherFor } from '@murmuration/kernel'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTokens } from '../src/core/credential/secrets.js'
import { type Harness, startAccounts } from './harness.js'

const INSTANCE_ACTOR = '-99'
const PREVIOUS = 'the base before, of more than thirty-two characters'
const LOST = 'a lost base, also of more than thirty-two characters'
const password = 'correct horse battery'
const from = { ip: '192.0.2.1', userAgent: 'Mozilla/5.0 test' }

let harness: Harness
let call: Harness['call']
beforeAll(async () => {
  harness = await startAccounts({ SECRET_KEY_BASE_PREVIOUS: PREVIOUS })
  call = harness.call
})
afterAll(() => harness.stop())

const db = () => harness.db('accounts')
const cipherOf = (secretKeyBase: string) => secretCipherFor({ secretKeyBase }, 'sealed keys')
const keyAbout = (id: string) => `signing key of ${id}`
const codeAbout = (id: string) => `one-time code ${id}`

/** Stores a secret as a server with another base encrypted it. */
const storeWith = async (base: string, about: string, read: Sql, write: (encrypted: string) => Sql): Promise<void> => {
  const row = await db().row<{ text: string }>(read)
  const plain = cipherOf(harness.env.SECRET_KEY_BASE ?? '').decrypt(row?.text ?? '', about)
  expect(await db().run(write(cipherOf(base).encrypt(plain, about)))).toBe(1)
}
const keyWith = (base: string, id: string, column: Sql = sql`private_sealed`) =>
  storeWith(
    base,
    keyAbout(id),
    sql`select ${column} as text from keys where account_id = ${id}`,
    (text) => sql`update keys set ${column} = ${text} where account_id = ${id}`,
  )
const keysOf = async (...ids: string[]) => (await call(accounts.signingKey, { ids })).keys
const rotateAll = async () => {
  const { id } = await call(accounts.rotateAllKeys, { delay: '0' })
  await harness.waitForIdle()
  return call(accounts.showAccountTask, { id })
}

const firstStep = (name: string) => call(accounts.signInUser, { email: `${name}@mail.example`, password, ...from })
const finish = (proof: string | null, code: string) =>
  call(accounts.finishSignIn, { proof: proof ?? '', code, credential: null, ...from })
const codeOf = (secret: string): string =>
  new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 }).generate({
    timestamp: Date.now(),
  })
/** An account with an authenticator app that used no code yet, whose secret was encrypted with this base. */
const withApp = async (base: string, name: string) => {
  const { id } = await harness.createAccount(name, { password })
  const { session } = await firstStep(name)
  const { secret } = await call(accounts.beginOneTimeCode, { session: session ?? '', password })
  const { backupCodes } = await call(accounts.confirmOneTimeCode, { session: session ?? '', code: codeOf(secret) })
  const user = await db().row<{ id: string }>(sql`select id from users where account_id = ${id}`)
  const userId = user?.id ?? ''
  await db().run(sql`update one_time_codes set last_step = 0 where user_id = ${userId}`)
  await storeWith(
    base,
    codeAbout(userId),
    sql`select secret_sealed as text from one_time_codes where user_id = ${userId}`,
    (text) => sql`update one_time_codes set secret_sealed = ${text} where user_id = ${userId}`,
  )
  return { session: session ?? '', secret, backupCodes: backupCodes ?? [] }
}

test('D022 keys and authenticator secrets of the base before the change are read', async () => {
  const { id } = await harness.createAccount('alice')
  const before = await keysOf(id, INSTANCE_ACTOR)
  await keyWith(PREVIOUS, id)
  await keyWith(PREVIOUS, INSTANCE_ACTOR)
  expect(await keysOf(id, INSTANCE_ACTOR)).toEqual(before)
  const { secret } = await withApp(PREVIOUS, 'anna')
  const { proof } = await firstStep('anna')
  expect((await finish(proof, codeOf(secret))).state).toBe('signed-in')
})

test('an account with an unreadable key is left out, and other accounts have their keys', async () => {
  const [bob, carol] = await Promise.all([harness.createAccount('bob'), harness.createAccount('carol')])
  const before = await keysOf(bob.id, carol.id)
  await keyWith(LOST, bob.id)
  expect(await keysOf(bob.id, carol.id)).toEqual({ [carol.id]: before[carol.id] })
  // An unreadable previous key is left out, too.
  await call(accounts.rotateKeys, { id: carol.id })
  expect((await keysOf(carol.id))[carol.id]?.previousPem).toBe(before[carol.id]?.privatePem)
  await keyWith(LOST, carol.id, sql`previous_sealed`)
  const after = (await keysOf(carol.id))[carol.id]
  expect([after?.previousPem, after?.publicPem === before[carol.id]?.publicPem]).toEqual([undefined, false])
})

test('new keys for all replace unreadable keys, also that of the instance actor', async () => {
  const [dora, ed] = await Promise.all([harness.createAccount('dora'), harness.createAccount('ed')])
  const before = await keysOf(dora.id, ed.id, INSTANCE_ACTOR)
  await keyWith(LOST, dora.id)
  // The first test stored the key of the instance actor with the base before.
  await db().run(sql`update keys set private_sealed = ${cipherOf(LOST).encrypt('lost', keyAbout(INSTANCE_ACTOR))}
    where account_id = ${INSTANCE_ACTOR}`)
  expect(Object.keys(await keysOf(dora.id, ed.id, INSTANCE_ACTOR))).toEqual([ed.id])
  expect(await rotateAll()).toMatchObject({ state: 'done' })
  const after = await keysOf(dora.id, ed.id, INSTANCE_ACTOR)
  expect(after[ed.id]?.previousPem).toBe(before[ed.id]?.privatePem)
  for (const id of [dora.id, INSTANCE_ACTOR]) {
    expect(after[id]?.publicPem).not.toBe(before[id]?.publicPem)
    expect([after[id]?.keyId, after[id]?.previousPem]).toEqual([before[id]?.keyId, undefined])
  }
})

test('a code of an unreadable authenticator secret is refused, and a backup code is accepted', async () => {
  const { session, secret, backupCodes } = await withApp(LOST, 'fay')
  const { proof } = await firstStep('fay')
  expect((await finish(proof, codeOf(secret))).state).toBe('refused')
  expect((await finish(proof, backupCodes[0] ?? '')).state).toBe('signed-in')
  expect(await call(accounts.showSecondFactor, { session })).toMatchObject({ pending: null })
})

const tokensOf = (secretKeyBase: string) => createTokens(derive({ secretKeyBase }, 'access tokens'))

test('an application gets its token of the base before again, and a new one if that base is lost', async () => {
  const { client_id, client_secret } = await call(accounts.createApp, {
    client_name: 'Test',
    redirect_uris: 'urn:ietf:wg:oauth:2.0:oob',
    scopes: 'read',
  })
  const issue = async () =>
    (await call(accounts.issueToken, { client_id, client_secret, grant_type: 'client_credentials' })).access_token
  const resolves = async (token: string) => (await call(accounts.resolveToken, { token, ip: null })).found !== null
  /** Replaces the newest token by one that a server with another base issued. */
  const storeWith = async (base: string): Promise<string> => {
    const row = await db().row<{ id: string; nonce: Buffer }>(
      sql`select id, nonce from access_tokens order by id desc limit 1`,
    )
    const value = tokensOf(base).valueOf(row?.nonce ?? Buffer.alloc(0))
    const hash = tokensOf(base).digest(value)
    await db().run(sql`update access_tokens set hash = ${hash} where id = ${row?.id ?? ''}`)
    return value
  }
  await issue()
  const before = await storeWith(PREVIOUS)
  expect(await issue()).toBe(before)
  const lost = await storeWith(LOST)
  const fresh = await issue()
  expect(fresh).not.toBe(lost)
  expect([await resolves(lost), await resolves(fresh)]).toEqual([true, true])
  expect(await issue()).toBe(fresh)
})

test('an e-mail that waits while the base is changed is sent with a link that works', async () => {
  await harness.createAccount('gus', { password })
  await call(accounts.requestPasswordReset, { email: 'gus@mail.example' })
  const row = await db().row<{ id: string; nonce: Buffer }>(
    sql`select id, nonce from letters where address = 'gus@mail.example' order by id desc limit 1`,
  )
  const nonce = row?.nonce ?? Buffer.alloc(0)
  const now = tokensOf(harness.env.SECRET_KEY_BASE ?? '')
  const value = tokensOf(PREVIOUS).valueOf(nonce)
  const changed = sql`update mail_links set hash = ${now.digest(value)} where hash = ${now.digest(now.valueOf(nonce))}`
  expect(await db().run(changed)).toBe(1)
  const { letter } = await call(accounts.openLoginMail, { id: row?.id ?? '' })
  expect(letter?.link).toContain(value)
})
