/** Integrity proofs (FEP-8b32): the test vectors, damaged proofs, and JSON without canonical form. */

import { createHash } from 'node:crypto'
import { addProof } from '@murmuration/testkit/outside/proof'
import { describe, expect, test } from 'vitest'
import { type DocumentCase, type VectorFile, type VectorKeys, vectors } from '../../test/vectors.js'
import { type ProofKey, type ProofRefusal, verifyProof } from './integrity-proof.js'
import { canonicalJson } from './jcs.js'
import { keyFromMultibase, privateKeyFromPem } from './keys.js'

const keys = vectors<VectorKeys>('keys')
const file = vectors<VectorFile<DocumentCase>>('eddsa-jcs-2022')
const now = Date.parse(file.now)
const proofKey = {
  ...keyFromMultibase(keys.ed25519.publicKeyMultibase)!,
  controller: keys.ed25519.controller,
} satisfies ProofKey
const getKey = async (id: string) => (id === keys.ed25519.keyId ? proofKey : null)

const reasons: Record<string, ProofRefusal> = {
  'content-changed': 'wrong-signature',
  'context-prefix-mismatch': 'context-mismatch',
  'wrong-purpose': 'wrong-purpose',
  'controller-mismatch': 'foreign-controller',
}

describe('vectors of eddsa-jcs-2022', () => {
  test.each(file.cases.map((it) => [it.name, it] as const))('%s', async (name, it) => {
    const outcome = await verifyProof(it.document, { now, getKey })
    const reason = reasons[name]
    expect(outcome).toMatchObject(
      reason === undefined ? { ok: true, actor: keys.ed25519.controller } : { ok: false, reason },
    )
    expect(it.expect.startsWith('accept')).toBe(reason === undefined)
  })
  test('canonical text and hashes equal those of the vector', () => {
    const it = file.cases.find((one) => one.canonicalDocument !== undefined) as DocumentCase
    const { proof, ...document } = it.document
    const { proofValue, ...options } = proof as Record<string, unknown>
    expect(proofValue).toBeDefined()
    expect(canonicalJson(document)).toBe(it.canonicalDocument)
    const hash = createHash('sha256').update(canonicalJson(options) as string)
    expect(hash.digest('hex')).toBe(it.proofOptionsHashHex)
  })
  test('addProof returns the proof of the vector', () => {
    const { proof, ...document } = (file.cases[0] as DocumentCase).document
    const own = addProof(document, {
      verificationMethod: keys.ed25519.keyId,
      privateKey: privateKeyFromPem(keys.ed25519.privateKeyPem),
      created: '2026-05-01T10:00:00Z',
    })
    expect(own.proof).toEqual(proof)
  })
})

describe('hostile 25: spoiled proofs', () => {
  const document = (file.cases[0] as DocumentCase).document
  const spoil = (change: object) => ({ ...document, proof: { ...(document.proof as object), ...change } })
  test.each([
    ['no proof', { ...document, proof: undefined }, 'no-proof'],
    ['cryptosuite none', spoil({ cryptosuite: 'none' }), 'no-proof'],
    ['no actor', { ...document, actor: 5 }, 'no-actor'],
    ['method on another host', spoil({ verificationMethod: 'https://evil.example/k' }), 'foreign-method'],
    ['method not a URL', spoil({ verificationMethod: 7 }), 'foreign-method'],
    ['expired', spoil({ expires: '2026-05-01T09:00:00Z' }), 'expired'],
    ['expires as a list', spoil({ expires: [] }), 'bad-time'],
    ['a context that is a string', spoil({ '@context': 'https://www.w3.org/ns/activitystreams' }), 'context-mismatch'],
    ['an unknown key', spoil({ verificationMethod: 'https://remote.example/k' }), 'unknown-key'],
    ['no value', spoil({ proofValue: undefined }), 'wrong-signature'],
    ['a number that cannot be kept', { ...document, views: 2 ** 60 }, 'not-canonical'],
  ])('%s', async (_, spoiled, reason) => {
    expect(await verifyProof(spoiled, { now, getKey })).toEqual({ ok: false, reason })
  })
  test.each([
    ['Asia/Kathmandu', '2026-05-01T12:00:00', 'wrong-signature'],
    ['America/New_York', '2026-05-01T09:00:00', 'expired'],
  ])('on a machine in %s, an end without a zone is in UTC', async (zone, expires, reason) => {
    const { TZ } = process.env
    process.env.TZ = zone
    expect(await verifyProof(spoil({ expires }), { now, getKey })).toEqual({ ok: false, reason })
    if (TZ === undefined) delete process.env.TZ
    else process.env.TZ = TZ
  })
  test.each<[string, object]>([
    ['a list of one proof', { proof: [document.proof] }],
    ['a JSON-LD list of proofs', { proof: { '@list': [document.proof] } }],
    ['proofs in a map with numbers as keys', { proof: { 0: document.proof } }],
  ])('%s is accepted', async (_, change) => {
    expect(await verifyProof({ ...document, ...change }, { now, getKey })).toMatchObject({ ok: true })
  })
  test.each<[string, (actor: unknown) => unknown]>([
    ['a list', (it) => [it]],
    ['a JSON-LD reference', (it) => ({ '@id': it })],
    ['an object', (it) => ({ id: it })],
  ])('the actor may be %s', async (_, as) => {
    const { proof: _proof, ...bare } = document
    const own = addProof(
      { ...bare, actor: as(bare.actor) },
      {
        verificationMethod: keys.ed25519.keyId,
        privateKey: privateKeyFromPem(keys.ed25519.privateKeyPem),
        created: '2026-05-01T10:00:00Z',
      },
    )
    expect(await verifyProof(own, { now, getKey })).toMatchObject({ ok: true, actor: keys.ed25519.controller })
  })
  test('several actors are none', async () => {
    const actor = [document.actor, 'https://remote.example/users/other']
    expect(await verifyProof({ ...document, actor }, { now, getKey })).toEqual({ ok: false, reason: 'no-actor' })
  })
  test('a valid proof is found after a proof of another suite', async () => {
    const list = { ...document, proof: [{ type: 'DataIntegrityProof', cryptosuite: 'none' }, document.proof] }
    expect(await verifyProof(list, { now, getKey })).toMatchObject({ ok: true })
  })
})

test.each([
  [{ b: 1, a: [true, null, 'x\u0007"'] }, '{"a":[true,null,"x\\u0007\\""],"b":1}'],
  [{ '\u20ac': 1, '\ud83d\ude00': 2, '\ufb33': 3, '1': 4 }, '{"1":4,"\u20ac":1,"\ud83d\ude00":2,"\ufb33":3}'],
  [[1e21, 1.5, -0, 0.000001, 1e-7], null],
  [[333333333.3333333, 1.5, -0, 0.000001, 1e-7], '[333333333.3333333,1.5,0,0.000001,1e-7]'],
  ['\ud800', null],
  [{ '\ud800': 1 }, null],
  [[Number.POSITIVE_INFINITY], null],
  [[2 ** 53], null],
  [[undefined], null],
])('canonical form of %j', (value, text) => {
  expect(canonicalJson(value)).toBe(text)
})

test('hostile 32: deep nesting has no canonical form', () => {
  expect(canonicalJson(JSON.parse('['.repeat(5000) + ']'.repeat(5000)))).toBeNull()
})
