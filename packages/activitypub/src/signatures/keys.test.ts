/** Usable and unusable public keys, in every form that other servers publish. */

import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { ed25519ToMultibase, makeEd25519Keys, toMultibase } from '@murmuration/testkit/outside/proof'
import { makeRsaKeys } from '@murmuration/testkit/outside/remote-actor'
import { expect, test } from 'vitest'
import { type VectorKeys, vectors } from '../../test/vectors.js'
import { keyCache } from './key-cache.js'
import { keyFromMultibase, keyFromPem, privateKeyFromPem } from './keys.js'
import { fromMultibase, multicodec } from './multibase.js'

const keys = vectors<VectorKeys>('keys')
const spki = keys.rsa.publicKeyPem
const rsa = createPublicKey(spki)
const pkcs1 = rsa.export({ type: 'pkcs1', format: 'pem' }) as string

test.each([
  ['SPKI', spki],
  ['PKCS#1', pkcs1],
  ['CRLF', spki.replaceAll('\n', '\r\n')],
  ['no last line end', spki.trimEnd()],
  ['indented lines', `  ${spki.replaceAll('\n', '\n    ')}`],
  ['spaces instead of line ends', spki.trimEnd().replaceAll('\n', ' ')],
  ['one long line', pkcs1.replace(/(?<!-)\n(?!-)/g, '')],
  ['literal \\n', spki.replaceAll('\n', '\\n')],
  ['Ed25519', keys.ed25519.publicKeyPem],
])('PEM: %s', (_, pem) => {
  expect(keyFromPem(pem)).not.toBeNull()
  expect(keyFromPem(pem)?.key.equals(pem.includes('MCow') ? createPublicKey(keys.ed25519.publicKeyPem) : rsa)).toBe(
    true,
  )
})

const weak = (modulusLength: number, publicExponent = 65537) =>
  generateKeyPairSync('rsa', { modulusLength, publicExponent }).publicKey.export({
    type: 'spki',
    format: 'pem',
  }) as string
const jwk = (n: Buffer, e: string) =>
  createPublicKey({ key: { kty: 'RSA', n: n.toString('base64url'), e }, format: 'jwk' }).export({
    type: 'spki',
    format: 'pem',
  }) as string
const modulusOf = (bits: number) => Buffer.alloc(bits / 8, 0xff)

test.each([
  ['nothing', ''],
  ['text', '-----BEGIN PUBLIC KEY-----\nMIIB...\n-----END PUBLIC KEY-----\n'],
  ['a private key', keys.rsa.privateKeyPem],
  ['512 bits', weak(512)],
  ['16,384 bits', jwk(modulusOf(16_384), 'AQAB')],
  ['64 kbit', jwk(modulusOf(65_536), 'AQAB')],
  ['exponent 1', jwk(modulusOf(2048), 'AQ')],
  ['an even exponent', jwk(modulusOf(2048), 'Ag')],
  [
    'an elliptic curve',
    generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ type: 'spki', format: 'pem' }) as string,
  ],
])('hostile 17: %s is no key', (_, pem) => {
  expect(keyFromPem(pem)).toBeNull()
})

test('multibase: Ed25519 and RSA, base58 and base64url', () => {
  const { publicKeyMultibase } = keys.ed25519
  const ed25519 = createPublicKey(keys.ed25519.publicKeyPem)
  expect(keyFromMultibase(publicKeyMultibase)?.key.equals(ed25519)).toBe(true)
  expect(ed25519ToMultibase(ed25519)).toBe(publicKeyMultibase)
  const bytes = fromMultibase(publicKeyMultibase) as Uint8Array
  expect(keyFromMultibase(`u${Buffer.from(bytes).toString('base64url')}`)?.key.equals(ed25519)).toBe(true)
  const der = Uint8Array.from([...multicodec.rsa, ...rsa.export({ type: 'pkcs1', format: 'der' })])
  expect(keyFromMultibase(toMultibase(der))?.key.equals(rsa)).toBe(true)
})

test.each([
  '',
  'z',
  'zzzz',
  'u',
  'u!',
  'f00',
  'z0OIl',
  `z${'2'.repeat(10_000)}`,
  toMultibase(Uint8Array.of(0xed, 1, 1)),
])('multibase: %.20s is no key', (text) => {
  expect(keyFromMultibase(text)).toBeNull()
})

test.each<[string, readonly number[] | null]>([
  ['z', []],
  ['z1', [0]],
  ['z112', [0, 0, 1]],
  ['z2NEpo7TZRRrLZSi2U', [...Buffer.from('Hello World!')]],
  [`z${'1'.repeat(1_600)}`, new Array<number>(1_600).fill(0)],
  [`z${'1'.repeat(1_601)}`, null],
  ['z0', null],
  ['z2NEpo7TZRRr LZSi2U', null],
  ['z\u0131', null],
])('multibase %.20s as bytes', (text, bytes) => {
  expect(fromMultibase(text)).toEqual(bytes && Uint8Array.from(bytes))
  if (bytes) expect(toMultibase(Uint8Array.from(bytes))).toBe(text)
})

test('the longest base58 text is decoded in time', () => {
  const started = process.threadCpuUsage()
  for (let n = 0; n < 100; n++) fromMultibase(`z${'z'.repeat(1_600)}`)
  expect(process.threadCpuUsage(started).user).toBeLessThan(1_000_000)
})

test('key pairs of other servers can be parsed', async () => {
  const [one, two] = await Promise.all([makeRsaKeys(), makeEd25519Keys()])
  expect(one.publicKey.endsWith('-----END PUBLIC KEY-----\n')).toBe(true)
  expect(createPublicKey(privateKeyFromPem(one.privateKey)).equals(keyFromPem(one.publicKey)!.key)).toBe(true)
  expect(createPublicKey(two.privateKey).equals(keyFromMultibase(two.publicKeyMultibase)!.key)).toBe(true)
})

test('the cache drops the least recently used key', () => {
  const cache = keyCache(2)
  const first = cache.verification(spki)
  expect(cache.verification(spki)).toBe(first)
  cache.verification(pkcs1)
  cache.verification(spki)
  cache.verification(keys.ed25519.publicKeyMultibase)
  expect(cache.verification(spki)).toBe(first)
  cache.verification(pkcs1)
  cache.verification('nonsense')
  expect(cache.verification(spki)).not.toBe(first)
  expect(cache.signing(keys.rsa.privateKeyPem)).toBe(cache.signing(keys.rsa.privateKeyPem))
})
