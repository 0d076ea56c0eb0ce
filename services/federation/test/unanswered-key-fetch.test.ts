/** Requests with an unknown key while no process of this server fetches keys, as during its restart. */
import { createPrivateKey } from 'node:crypto'
import { createGraphs } from '@murmuration/activitypub/signatures/graph'
import { addLinkedDataSignature } from '@murmuration/activitypub/signatures/linked-data'
import { readingContext } from '@murmuration/activitypub/vocabulary/context'
import { addProof, makeEd25519Keys } from '@murmuration/testkit/outside/proof'
import { makeRsaKeys } from '@murmuration/testkit/outside/remote-actor'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '../src/context.js'
import { findKey } from '../src/core/signature/signer.js'
import { isSignedInside, thirdPartyProofOf } from '../src/inbox/proof.js'
import { MAX_UNREAD_KEYS_PER_ADDRESS } from '../src/resolver/request-limits.js'
import { type SiblingServices, startSiblingServices } from './sibling-services.js'

let harness: SiblingServices
beforeAll(async () => {
  harness = await startSiblingServices({}, ['inbox'])
})
afterAll(() => harness.stop())

test('the failure may be retried soon, and does not count as an unread key of the sender', async () => {
  const ctx = harness.ours as unknown as Context
  const batch = Math.ceil(MAX_UNREAD_KEYS_PER_ADDRESS * 0.6)
  for (let round = 0; round < 2; round++) {
    const failures = await Promise.all(
      Array.from({ length: batch }, (_, n) =>
        findKey(ctx, `http://127.0.0.1:9/keys/${round}/${n}`, {
          fresh: false,
          reach: 'outside',
          from: '203.0.113.9',
        }).catch((error: { code: string; extras: { retryAfter?: number } }) => [error.code, error.extras.retryAfter]),
      ),
    )
    expect(failures).toEqual(Array(batch).fill(['unavailable', 1]))
  }
})

const activityOf = (actor: string) => ({
  '@context': ['https://www.w3.org/ns/activitystreams'],
  id: `${actor}#likes/1`,
  type: 'Like',
  actor,
  object: `${actor}/statuses/1`,
})

const withProof = async (actor: string, created: string) => {
  const { privateKey } = await makeEd25519Keys()
  return addProof(activityOf(actor), { verificationMethod: `${actor}#ed25519-key`, privateKey, created })
}
const withSignature = async (actor: string, created: string) => {
  const { privateKey } = await makeRsaKeys()
  const graphs = createGraphs(readingContext)
  const key = { keyId: `${actor}#main-key`, privateKey: createPrivateKey(privateKey) }
  const expires = new Date(Date.now() + 86_400_000).toISOString()
  const signed = await addLinkedDataSignature(activityOf(actor) as never, { ...key, created, expires, graphs })
  await graphs.close()
  return signed
}

test.each([
  ['an integrity proof', withProof, async () => (await makeEd25519Keys()).publicKeyMultibase],
  ['a linked-data signature', withSignature, async () => (await makeRsaKeys()).publicKey],
])('a forwarded activity with %s does not count as one without a proof', async (name, sign, otherKey) => {
  const ctx = harness.ours as unknown as Context
  const actor = `http://127.0.0.1:9/users/${name.replaceAll(' ', '-')}`
  const document = (await sign(actor, new Date().toISOString())) as never
  const client = { from: '203.0.113.10', by: 'other.example' }
  await expect(thirdPartyProofOf(ctx, document, client)).rejects.toMatchObject({ code: 'unavailable' })
  // The stored key is outdated, so that the key is fetched again.
  const stored = { id: actor, pem: await otherKey(), owner: actor, accountId: '1' }
  const known: Context = Object.create(ctx, { knownKeys: { value: { get: async () => stored, remove() {} } } })
  await expect(thirdPartyProofOf(known, document, client)).rejects.toMatchObject({ code: 'unavailable' })
})

test('an activity that is not forwarded for this reason is processed again', async () => {
  const ctx = harness.ours as unknown as Context
  const signed = (await withSignature('http://127.0.0.1:9/users/rita', new Date().toISOString())) as never
  await expect(isSignedInside(ctx, signed)).rejects.toMatchObject({ code: 'unavailable' })
})

test('the key of another server that does not respond still counts as no proof', async () => {
  const ctx = harness.ours as unknown as Context
  const later = async () => ({ outcome: 'later', actor: null })
  const silent: Context = Object.create(ctx, {
    call: { value: later },
    knownKeys: { value: { get: async () => null } },
  })
  const document = (await withProof('http://127.0.0.1:9/users/vera', new Date().toISOString())) as never
  expect(await thirdPartyProofOf(silent, document, { from: null, by: null })).toBeNull()
})
