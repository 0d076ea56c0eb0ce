/** Follower digests (FEP-8fcf): the test vector, and headers with addresses on other hosts. */

import { expect, test } from 'vitest'
import { vectors } from '../../test/vectors.js'
import {
  digestOfFollower,
  emptyDigest,
  followersDigest,
  readCollectionSynchronization,
  writeCollectionSynchronization,
  xorDigests,
} from './collection-synchronization.js'

const vector = vectors<{
  followers: string[]
  perFollowerSha256: Record<string, string>
  digestAll: string
  digestWithoutCarol: string
  digestEmptySet: string
  header: string
}>('collection-synchronization')
const alice = { uri: 'https://remote.example/users/alice', followers: 'https://remote.example/users/alice/followers' }

test('the digests equal those of the vector, in any order of followers', () => {
  expect(Object.fromEntries(vector.followers.map((uri) => [uri, digestOfFollower(uri)]))).toEqual(
    vector.perFollowerSha256,
  )
  expect(followersDigest(vector.followers)).toBe(vector.digestAll)
  expect(followersDigest([...vector.followers].reverse())).toBe(vector.digestAll)
  expect(followersDigest([])).toBe(vector.digestEmptySet)
  expect(emptyDigest).toBe(vector.digestEmptySet)
})

test('xorDigests removes a follower that it added', () => {
  const carol = vector.followers[1] as string
  expect(xorDigests(vector.digestAll, digestOfFollower(carol))).toBe(vector.digestWithoutCarol)
})

test('the header is parsed and written', () => {
  const header = readCollectionSynchronization(vector.header, alice)
  expect(header).toMatchObject({ collectionId: alice.followers, digest: vector.digestAll })
  expect(header && writeCollectionSynchronization(header)).toBe(vector.header)
})

test.each([
  ['a collection of somebody else', vector.header.replace('alice/followers"', 'bob/followers"')],
  ['a url on another host', vector.header.replace('url="https://remote.example', 'url="https://evil.example')],
  ['a url that is none', vector.header.replace('url="https://', 'url="javascript:')],
  ['no digest', vector.header.replace(/digest="[^"]*"/, 'digest=""')],
  ['a short digest', vector.header.replace(/digest="..../, 'digest="')],
  ['a repeated parameter', `${vector.header}, digest="${'0'.repeat(64)}"`],
  ['something else', 'yes'],
  ['nothing', ''],
])('hostile 76: %s is ignored', (_, header) => {
  expect(readCollectionSynchronization(header, alice)).toBeNull()
})
