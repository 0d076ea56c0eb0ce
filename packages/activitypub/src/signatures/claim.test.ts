/** Signed texts and signatures equal those in the test vectors. */

import { expect, test } from 'vitest'
import { type RequestCase, type VectorFile, type VectorKeys, vectors } from '../../test/vectors.js'
import { readCavageClaim } from './cavage.js'
import { disproved } from './claim.js'
import { keyFromPem, privateKeyFromPem } from './keys.js'
import { readMessageClaims } from './rfc9421.js'
import { signRequest } from './sign-request.js'

const keys = vectors<VectorKeys>('keys')

const readCase = (it: RequestCase, now: string) => {
  const url = new URL(it.request.url)
  const request = {
    method: it.request.method,
    path: url.pathname + url.search,
    headers: Object.fromEntries(Object.entries(it.request.headers).map(([name, value]) => [name.toLowerCase(), value])),
    body: Buffer.from(it.request.body ?? ''),
  }
  const place = { now: Date.parse(now), publicOrigin: url.origin, ownHosts: new Set([url.host]) }
  return url.search || request.headers.digest ? [readCavageClaim(request, place)] : readMessageClaims(request, place)
}

const accepted = (name: string, text: 'signingString' | 'signatureBase') => {
  const file = vectors<VectorFile<RequestCase>>(name)
  return file.cases
    .filter((it) => it[text] !== undefined && it.expect.startsWith('accept'))
    .map((it) => [it.name, it, file.now] as const)
}

test.each([...accepted('cavage-get', 'signingString'), ...accepted('cavage-post', 'signingString')])(
  'cavage base of %s',
  (_, it, now) => {
    expect(readCase(it, now)).toMatchObject([{ bases: expect.arrayContaining([it.signingString]) }])
  },
)

test.each(accepted('rfc9421-post', 'signatureBase'))('message base of %s', (_, it, now) => {
  expect(readCase(it, now)).toMatchObject([{ bases: [it.signatureBase] }])
})

test.each([
  ['valid-rsa', keys.rsa],
  ['valid-ed25519', keys.ed25519],
] as const)('the message signature of %s is reproduced to the letter', async (name, key) => {
  const it = vectors<VectorFile<RequestCase>>('rfc9421-post').cases.find((one) => one.name === name) as RequestCase
  const headers = await signRequest({
    scheme: 'rfc9421',
    method: 'POST',
    url: it.request.url,
    headers: { 'content-type': 'application/activity+json' },
    body: Buffer.from(it.request.body as string),
    keyId: key.keyId,
    privateKey: privateKeyFromPem(key.privateKeyPem),
    now: 1777629600_999,
  })
  const { Host, ...rest } = it.request.headers
  expect(headers).toEqual({
    host: Host,
    ...Object.fromEntries(Object.entries(rest).map(([field, value]) => [field.toLowerCase(), value])),
  })
})

test('a damaged signature is refused without an exception', () => {
  const key = keyFromPem(keys.rsa.publicKeyPem)
  const claim = {
    scheme: 'cavage',
    keyId: keys.rsa.keyId,
    keyType: null,
    bases: ['x'],
    signature: new Uint8Array(7),
    made: 0,
  } as const
  expect(key && disproved(claim, key)).toMatchObject({ reason: 'wrong-signature', refreshable: true })
})
