/** Request signatures: all test vectors of both schemes, and hostile variations that they lack. */

import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { type RequestCase, type VectorFile, type VectorKeys, vectors } from '../../test/vectors.js'
import { sha256Base64 } from './digest.js'
import { keyFromMultibase, keyFromPem, privateKeyFromPem, type VerificationKey } from './keys.js'
import type { SignatureRefusal } from './refusal.js'
import { signRequest } from './sign-request.js'
import { type VerifyRequestInput, verifyRequest } from './verify-request.js'

const keys = vectors<VectorKeys>('keys')
const known = new Map<string, VerificationKey | null>([
  [keys.rsa.keyId, keyFromPem(keys.rsa.publicKeyPem)],
  [keys.otherRsa.keyId, keyFromPem(keys.otherRsa.publicKeyPem)],
  [keys.ed25519.keyId, keyFromMultibase(keys.ed25519.publicKeyMultibase)],
])
const getKey = async (keyId: string) => known.get(keyId) ?? null
const now = Date.parse('2026-05-01T10:00:30Z')

const inputOf = (it: RequestCase, fileNow: string): VerifyRequestInput => {
  const url = new URL(it.request.url)
  return {
    method: it.request.method,
    path: url.pathname + url.search,
    headers: Object.fromEntries(Object.entries(it.request.headers).map(([name, value]) => [name.toLowerCase(), value])),
    body: Buffer.from(it.request.body ?? ''),
    now: Date.parse(it.now ?? fileNow),
    publicOrigin: 'https://local.example',
    ownHosts: ['local.example', 'social.local.example'],
    getKey,
  }
}

/** Reason why each refused vector is refused. */
const reasons: Record<string, Record<string, SignatureRefusal>> = {
  'cavage-get': {
    'path-changed': 'wrong-signature',
    'replayed-on-other-host': 'wrong-host',
    'host-not-signed': 'not-covered',
    stale: 'expired',
  },
  'cavage-post': {
    'body-tampered': 'digest-mismatch',
    'digest-not-covered': 'not-covered',
    'digest-header-missing': 'missing-header',
    'only-sha512-digest': 'digest-mismatch',
    'wrong-key': 'wrong-signature',
    'created-with-rsa-sha256': 'unsupported-algorithm',
    'duplicate-parameter': 'malformed-signature',
    'expired-hs2019': 'expired',
    'future-created': 'made-in-future',
  },
  'rfc9421-post': {
    'content-digest-not-covered': 'not-covered',
    'created-missing': 'not-covered',
    'no-target-uri': 'not-covered',
    'body-tampered': 'digest-mismatch',
    'other-target': 'wrong-signature',
    'malformed-content-digest': 'malformed-content-digest',
  },
}

for (const [name, refused] of Object.entries(reasons))
  describe(`vectors of ${name}`, () => {
    const file = vectors<VectorFile<RequestCase>>(name)
    test.each(file.cases.map((it) => [it.name, it] as const))('%s', async (_, it) => {
      const outcome = await verifyRequest(inputOf(it, file.now))
      const reason = refused[it.name]
      if (reason === undefined) expect(outcome).toMatchObject({ ok: true })
      else expect(outcome).toMatchObject({ ok: false, reason, status: it.expect.includes('400') ? 400 : 401 })
      expect(it.expect.startsWith('reject')).toBe(reason !== undefined && !/^valid crypt/.test(it.expect))
    })
    test('every expected reason belongs to a vector', () => {
      const names = new Set(file.cases.map((it) => it.name))
      expect(Object.keys(refused).filter((it) => !names.has(it))).toEqual([])
    })
  })

const body = Buffer.from('{"type":"Like"}')

/** A valid request signed by alice of the vectors. Each test below changes one part of it. */
const signed = async (
  scheme: 'cavage' | 'rfc9421' = 'cavage',
  change: Partial<Parameters<typeof signRequest>[0]> = {},
): Promise<VerifyRequestInput> => {
  const request = {
    scheme,
    method: 'POST' as const,
    url: 'https://local.example/inbox?x=1',
    headers: { 'content-type': 'application/activity+json' },
    body,
    keyId: keys.rsa.keyId,
    privateKey: privateKeyFromPem(keys.rsa.privateKeyPem),
    now,
    ...change,
  }
  const headers = await signRequest(request)
  return {
    method: request.method,
    path: '/inbox?x=1',
    headers,
    body: request.body ?? Buffer.alloc(0),
    now,
    publicOrigin: 'https://local.example',
    ownHosts: ['local.example'],
    getKey,
  }
}

/** The same request with a changed signature header. */
const rewritten = async (change: (signature: string) => string): Promise<VerifyRequestInput> => {
  const request = await signed()
  return { ...request, headers: { ...request.headers, signature: change(request.headers.signature as string) } }
}

describe('our own signatures are accepted', () => {
  test.each(['cavage', 'rfc9421'] as const)('%s POST and GET', async (scheme) => {
    expect(await verifyRequest(await signed(scheme))).toEqual({ ok: true, keyId: keys.rsa.keyId, scheme, made: now })
    const get = { method: 'GET' as const, body: null, headers: { accept: 'application/activity+json' } }
    expect(await verifyRequest(await signed(scheme, get))).toMatchObject({ ok: true, scheme })
  })
  test('interop 4.15 the query may be left out by either side', async () => {
    expect(await verifyRequest(await signed('cavage', { omitQuery: true }))).toMatchObject({ ok: true })
  })
  test('an Ed25519 key signs messages', async () => {
    const change = { keyId: keys.ed25519.keyId, privateKey: privateKeyFromPem(keys.ed25519.privateKeyPem) }
    expect(await verifyRequest(await signed('rfc9421', change))).toMatchObject({ ok: true, keyId: keys.ed25519.keyId })
  })
  test('O18 a given digest is used, and all headers that strict receivers require are covered', async () => {
    const request = await signed('cavage', { sha256: sha256Base64(body) })
    expect(request.headers.digest).toBe(`SHA-256=${sha256Base64(body)}`)
    expect(request.headers.signature).toContain('headers="host date digest content-type (request-target)"')
    expect(request.headers.date).toBe('Fri, 01 May 2026 10:00:30 GMT')
  })
  test('collection-synchronization is covered when it is sent', async () => {
    const headers = { 'content-type': 'application/activity+json', 'collection-synchronization': 'collectionId="x"' }
    const request = await signed('cavage', { headers })
    expect(request.headers.signature).toContain('content-type collection-synchronization (request-target)')
    const forged = { ...request, headers: { ...request.headers, 'collection-synchronization': 'collectionId="y"' } }
    expect(await verifyRequest(forged)).toMatchObject({ reason: 'wrong-signature' })
  })
})

describe('hostile requests', () => {
  const refusal = async (input: VerifyRequestInput | Promise<VerifyRequestInput>) => {
    const spied = vi.fn(getKey)
    const outcome = await verifyRequest({ ...(await input), getKey: spied })
    return { ...outcome, lookups: spied.mock.calls.length }
  }

  test('hostile 1: no signature', async () => {
    const { signature, ...headers } = (await signed()).headers
    expect(signature).toBeDefined()
    expect(await refusal({ ...(await signed()), headers })).toMatchObject({
      reason: 'no-signature',
      status: 401,
      lookups: 0,
    })
  })
  test.each([
    ['not parameters', () => 'Basic abc'],
    ['an empty headers list', (it: string) => it.replace(/headers="[^"]*"/, 'headers=""')],
    ['a repeated covered name', (it: string) => it.replace('host date', 'host host date')],
    ['a repeated parameter', (it: string) => `${it},keyId="https://evil.example/k"`],
    ['a repeated parameter in other letters', (it: string) => `${it},KEYID="https://evil.example/k"`],
    ['a trailing comma', (it: string) => `${it},`],
    ['no keyId', (it: string) => it.replace(/keyId="[^"]*",/, '')],
    ['no signature', (it: string) => it.replace(/,signature="[^"]*"/, '')],
    ['a signature that is not base64', (it: string) => it.replace(/signature="/, 'signature="%%')],
    ['100 kB', () => `keyId="${'x'.repeat(100_000)}"`],
  ])('hostile 2: %s', async (_, change) => {
    expect(await refusal(rewritten(change))).toMatchObject({ reason: 'malformed-signature', status: 401, lookups: 0 })
  })
  test('hostile 2: two Signature headers', async () => {
    const request = await signed()
    const signature = request.headers.signature as string
    const headers = { ...request.headers, signature: [signature, signature] }
    expect(await refusal({ ...request, headers })).toMatchObject({ reason: 'malformed-signature', lookups: 0 })
  })
  test('A007 hostile 3: one changed byte of the body', async () => {
    const request = { ...(await signed()), body: Buffer.from('{"type":"Lice"}') }
    expect(await refusal(request)).toMatchObject({ reason: 'digest-mismatch', refreshable: false, lookups: 0 })
  })
  test('A007 hostile 4: signed for another host', async () => {
    const request = await signed('cavage', { url: 'https://other.example/inbox?x=1' })
    expect(await refusal(request)).toMatchObject({ reason: 'wrong-host', lookups: 0 })
  })
  test('hostile 4: the target is not covered', async () => {
    expect(await refusal(rewritten((it) => it.replace(' (request-target)', '')))).toMatchObject({
      reason: 'not-covered',
    })
  })
  test.each([
    ['older than 65 minutes', 65 * 60_000 + 1000, 'expired'],
    ['more than an hour ahead', -60 * 60_000 - 1000, 'made-in-future'],
  ])('hostile 6: a Date %s', async (_, age, reason) => {
    expect(await refusal({ ...(await signed()), now: now + age })).toMatchObject({ reason, lookups: 0 })
  })
  test('hostile 6: a Date almost 65 minutes ago is accepted', async () => {
    expect(await refusal({ ...(await signed()), now: now + 64 * 60_000 })).toMatchObject({ ok: true })
  })
  test.each(['soon', '1777629600.5', '-5', '1'.repeat(18)])('hostile 7: created is %s', async (created) => {
    const change = (it: string) =>
      it
        .replace('algorithm="rsa-sha256"', `algorithm="hs2019",created="${created}"`)
        .replace('host date', 'host (created)')
    expect(await refusal(rewritten(change))).toMatchObject({ reason: 'bad-time', status: 401, lookups: 0 })
    const message = await signed('rfc9421')
    const input = (message.headers['signature-input'] as string).replace(/created=\d+/, `created=${created}`)
    const outcome = await refusal({ ...message, headers: { ...message.headers, 'signature-input': input } })
    expect(outcome).toMatchObject({ ok: false, lookups: 0 })
  })
  test.each(['sig1', 'sig1=(', 'sig1=("@method"', '', 'sig1=();', 'sig1=(), sig1=()', '🔥'])(
    'hostile 8: Signature-Input is %j',
    async (input) => {
      const message = await signed('rfc9421')
      const outcome = await refusal({ ...message, headers: { ...message.headers, 'signature-input': input } })
      expect(outcome).toMatchObject({ reason: 'malformed-signature-input', status: 400, lookups: 0 })
    },
  )
  test.each(['"@method" ', '"@target-uri" ', ' "content-digest"'])(
    'hostile 9: %s is not covered',
    async (component) => {
      const message = await signed('rfc9421')
      const input = (message.headers['signature-input'] as string).replace(component, '')
      const outcome = await refusal({ ...message, headers: { ...message.headers, 'signature-input': input } })
      expect(outcome).toMatchObject({ reason: 'not-covered', lookups: 0 })
    },
  )
  test('hostile 10: with headers of both schemes, only RFC 9421 counts', async () => {
    const old = await signed()
    const headers = {
      ...old.headers,
      'signature-input': 'sig1=("@method");created=1777629600;keyid="https://remote.example/k"',
    }
    expect(await refusal({ ...old, headers })).toMatchObject({ ok: false, lookups: 0 })
  })
  test.each(['https://local.example/users/bob#main-key', 'https://LOCAL.example:443/users/bob#main-key'])(
    'hostile 11: a key of our own, %s',
    async (keyId) => {
      expect(await refusal(signed('cavage', { keyId }))).toMatchObject({ reason: 'own-key', lookups: 0 })
      expect(await refusal(signed('rfc9421', { keyId }))).toMatchObject({ reason: 'own-key', lookups: 0 })
    },
  )
  test.each([
    'acct:a@b.example',
    'javascript:1',
    'a',
    'https://u:p@b.example/k',
    `https://b.example/${'k'.repeat(3000)}`,
  ])('hostile 12: keyId %j', async (keyId) => {
    expect(await refusal(signed('cavage', { keyId }))).toMatchObject({ reason: 'bad-key-id', lookups: 0 })
    expect(await refusal(signed('rfc9421', { keyId }))).toMatchObject({ reason: 'bad-key-id', lookups: 0 })
  })
  test('hostile 13, 14: errors of the key lookup reach the caller', async () => {
    const request = { ...(await signed()), getKey: () => Promise.reject(new Error('host is blocked')) }
    await expect(verifyRequest(request)).rejects.toThrow('host is blocked')
  })
  test('hostile 18: an Ed25519 key under an RSA label', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
    const outcome = await refusal(signed('cavage', { keyId: keys.ed25519.keyId, privateKey }))
    expect(outcome).toMatchObject({ reason: 'key-mismatch', refreshable: true })
  })
  test('hostile 124: an unknown key, an unknown method', async () => {
    expect(await refusal(signed('cavage', { keyId: 'https://remote.example/gone' }))).toMatchObject({
      reason: 'unknown-key',
    })
    expect(await refusal({ ...(await signed()), method: 'PUT' })).toMatchObject({ reason: 'bad-method' })
    expect(await refusal({ ...(await signed('rfc9421')), method: 'DELETE' })).toMatchObject({ reason: 'bad-method' })
  })
  test('hostile 124: an unknown algorithm', async () => {
    const change = (it: string) => it.replace('rsa-sha256', 'none')
    expect(await refusal(rewritten(change))).toMatchObject({ reason: 'unsupported-algorithm', lookups: 0 })
    const message = await signed('rfc9421')
    const input = `${message.headers['signature-input']};alg="hmac-sha256"`
    const outcome = await refusal({ ...message, headers: { ...message.headers, 'signature-input': input } })
    expect(outcome).toMatchObject({ reason: 'unsupported-algorithm', lookups: 0 })
  })
  test('an expires that is not covered does not extend the validity of a signature', async () => {
    const request = await rewritten((it) => `${it},expires=${Math.floor(now / 1000) + 12 * 3600}`)
    expect(await refusal({ ...request, now: now + 2 * 3_600_000 })).toMatchObject({ reason: 'expired' })
  })
  test('at most two labels are checked', async () => {
    const message = await signed('rfc9421', { keyId: 'https://remote.example/gone' })
    const many = (it: string) => ['a', 'b', 'c', 'd', 'e'].map((label) => it.replace('sig1', label)).join(', ')
    const headers = {
      ...message.headers,
      'signature-input': many(message.headers['signature-input'] as string),
      signature: many(message.headers.signature as string),
    }
    expect(await refusal({ ...message, headers })).toMatchObject({ reason: 'unknown-key', lookups: 2 })
  })
})
