/** Tests of encryption, of tokens derived from a nonce, and of passwords. */

import { secretCipherFor } from '@murmuration/kernel'
import { expect, test } from 'vitest'
import { createKeyPairs } from '../../signing-key/pairs.js'
import { createPasswords } from './passwords.js'
import { createTokens, sameDigest } from './secrets.js'

test('an encrypted secret is decrypted only with its key, for its place and unchanged', () => {
  const secretCipher = secretCipherFor({ secretKeyBase: 'one' }, 'test')
  const encrypted = secretCipher.encrypt('secret', 'place 1')
  expect(encrypted).not.toContain('secret')
  expect(secretCipher.encrypt('secret', 'place 1')).not.toBe(encrypted)
  expect(secretCipher.decrypt(encrypted, 'place 1')).toBe('secret')
  expect(() => secretCipher.decrypt(encrypted, 'place 2')).toThrow()
  expect(() => secretCipherFor({ secretKeyBase: 'two' }, 'test').decrypt(encrypted, 'place 1')).toThrow()
  const parts = encrypted.split('.')
  for (const i of [1, 2, 3]) {
    const part = Buffer.from(parts[i] ?? '', 'base64url')
    part[0] = (part[0] ?? 0) ^ 1
    expect(() => secretCipher.decrypt(parts.with(i, part.toString('base64url')).join('.'), 'place 1')).toThrow()
  }
  expect(() => secretCipher.decrypt('v1.a', 'place 1')).toThrow('not an encrypted secret')
})

test('a token is derived from its nonce again with the same key only', () => {
  const tokens = createTokens('one')
  const nonce = tokens.nonce()
  expect(tokens.valueOf(nonce)).toMatch(/^[\w-]{43}$/)
  expect(tokens.valueOf(nonce)).toBe(tokens.valueOf(nonce))
  expect(createTokens('two').valueOf(nonce)).not.toBe(tokens.valueOf(nonce))
  expect(sameDigest(tokens.digest('a'), tokens.digest('a'))).toBe(true)
  expect(sameDigest(tokens.digest('a'), tokens.digest('b'))).toBe(false)
})

test('D001 D002 passwords are hashed with argon2id, untruncated, and never match without a digest', async () => {
  const passwords = createPasswords({ atOnce: 2 })
  const long = 'x'.repeat(99)
  const digest = await passwords.hash(`${long}a`)
  expect(digest).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await passwords.matches(digest, `${long}a`)).toBe(true)
  expect(await passwords.matches(digest, `${long}b`)).toBe(false)
  expect(await passwords.matches(null, 'nobody has this password')).toBe(false)
  expect(await passwords.matches('not a digest', 'x')).toBe(false)
})

test('D001 a password check is refused while fifty others wait', async () => {
  const passwords = createPasswords({ atOnce: 1 })
  const settled = await Promise.allSettled(Array.from({ length: 60 }, () => passwords.matches('not a digest', 'x')))
  const refused = settled.filter((one) => one.status === 'rejected')
  expect(refused).toHaveLength(9)
  expect(refused[0]).toMatchObject({ reason: { code: 'unavailable', extras: { retryAfter: 2 } } })
  expect(await passwords.matches('not a digest', 'x')).toBe(false)
})

test('each key pair is given out once and is a PEM key', async () => {
  const pairs = createKeyPairs({ spare: 1, log: { warn: () => {} } })
  const [one, two] = [await pairs.take(), await pairs.take()]
  expect(one.publicPem).toMatch(/^-----BEGIN PUBLIC KEY-----/)
  expect(one.privatePem).not.toBe(two.privatePem)
})

test('a password matches in any Unicode composition, also if an older version stored it', async () => {
  const { hash } = await import('@node-rs/argon2')
  const passwords = createPasswords({ atOnce: 2 })
  const [composed, apart] = ['Z\u00fcrich \u00e9t\u00e9', 'Zu\u0308rich e\u0301te\u0301']
  const digests = [await passwords.hash(apart), await passwords.hash(composed), await hash(apart), await hash(composed)]
  for (const digest of digests)
    for (const typed of [composed, apart]) expect(await passwords.matches(digest, typed)).toBe(true)
  expect(await passwords.matches(digests[0] ?? '', 'Zurich ete')).toBe(false)
})
