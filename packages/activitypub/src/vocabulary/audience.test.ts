/** Audience: visibility from addresses and back, and acceptance of delivered statuses and reblogs. */

import { acceptDelivery } from '@murmuration/federation/inbox/inbound-acceptance.rules'
import { reblogFault } from '@murmuration/federation/inbox/reblog.rules'
import { describe, expect, test } from 'vitest'
import { addressingFor, audienceOf, type Visibility } from './audience.js'
import { publicCollection, type Uri } from './uri.js'

const uri = (text: string) => text as Uri
const followers = uri('https://remote.example/users/vera/followers')
const alice = uri('https://local.example/users/alice')
const bob = uri('https://local.example/users/bob')
const rita = uri('https://remote.example/users/rita')
const known = {
  followers,
  isLocalAccount: (it: Uri) => it === alice || it === bob,
  mentioned: new Set<string>([alice]),
}

test.each<[string, Uri[], Uri[], Visibility, Uri[]]>([
  ['everybody in to', [publicCollection], [followers], 'public', []],
  ['everybody in cc', [followers], [publicCollection], 'unlisted', []],
  ['everybody in both', [publicCollection], [publicCollection], 'public', []],
  ['followers in to', [followers], [], 'private', []],
  ['followers in cc', [alice], [followers], 'private', []],
  ['a mentioned person', [alice], [], 'direct', []],
  ['a mentioned person and somebody elsewhere', [alice, rita], [], 'direct', []],
  ['a person who is not mentioned', [bob], [], 'limited', [bob]],
  ['one of each', [alice], [bob], 'limited', [bob]],
  ['followers and one who is not mentioned', [followers], [bob], 'private', [bob]],
  ['the followers of another', [uri('https://remote.example/users/rita/followers')], [], 'direct', []],
  ['a local-only audience elsewhere', [uri('https://remote.example/#Public')], [], 'direct', []],
  ['nobody at all', [], [], 'direct', []],
])('%s', (_, to, cc, visibility, silent) => {
  expect(audienceOf({ to, cc }, known)).toEqual({ visibility, silent })
})

test('without a followers collection no status is private', () => {
  expect(audienceOf({ to: [followers], cc: [] }, { ...known, followers: null }).visibility).toBe('direct')
})

test.each<[Visibility, string[], string[]]>([
  ['public', [publicCollection], [followers, alice]],
  ['unlisted', [followers], [publicCollection, alice]],
  ['private', [followers], [alice]],
  ['direct', [alice], []],
  ['limited', [alice], []],
])('ours, %s, and read back', (visibility, to, cc) => {
  const addressing = addressingFor(visibility, { followers, mentioned: [alice, alice] })
  expect(addressing).toEqual({ to, cc })
  const back = audienceOf(addressing as { to: Uri[]; cc: Uri[] }, known)
  expect(back.visibility).toBe(visibility === 'limited' ? 'direct' : visibility)
})

test('hostile 68: unclear addresses narrow the visibility and never widen it', () => {
  const every = [publicCollection, followers, alice, bob, rita]
  for (let mask = 0; mask < 2 ** (2 * every.length); mask++) {
    const to = every.filter((_, at) => mask & (1 << at))
    const cc = every.filter((_, at) => mask & (1 << (at + every.length)))
    const { visibility } = audienceOf({ to, cc }, known)
    const named = [...to, ...cc]
    expect(['public', 'unlisted'].includes(visibility)).toBe(named.includes(publicCollection))
    if (visibility === 'private') expect(named).toContain(followers)
  }
})

describe('delivered statuses', () => {
  const nobody = { followed: false, relayed: false, repliesToKnown: false, addressesUs: false }
  const judged = (visibility: Visibility, conditions: Partial<typeof nobody>) => {
    const result = acceptDelivery({ visibility, ...nobody, ...conditions })
    return result.ok ? result.because : result.reason
  }
  test.each<[Visibility, Partial<typeof nobody>, string]>([
    ['public', {}, 'nobody-asked'],
    ['public', { followed: true }, 'followed'],
    ['public', { relayed: true }, 'relayed'],
    ['public', { repliesToKnown: true }, 'replies-to-known'],
    ['public', { addressesUs: true }, 'addresses-us'],
    ['unlisted', {}, 'nobody-asked'],
    ['unlisted', { followed: true }, 'followed'],
    ['private', { followed: true }, 'followed'],
    ['private', { relayed: true }, 'nobody-asked'],
    ['private', { repliesToKnown: true }, 'nobody-asked'],
    ['private', { addressesUs: true }, 'addresses-us'],
    ['direct', { followed: true }, 'nobody-asked'],
    ['direct', { relayed: true, repliesToKnown: true }, 'nobody-asked'],
    ['direct', { addressesUs: true }, 'addresses-us'],
    ['limited', { addressesUs: true }, 'addresses-us'],
    ['limited', { followed: true }, 'nobody-asked'],
  ])('%s with %j: %s', (visibility, conditions, outcome) => {
    expect(judged(visibility, conditions)).toBe(outcome)
  })
})

describe('reblogs', () => {
  const reblog = { actor: rita, author: bob, visibility: 'public' as Visibility, isOurs: true, followed: false }
  test.each([
    ['public, ours', {}, null],
    ['unlisted, ours', { visibility: 'unlisted' }, null],
    ['public, foreign, followed', { isOurs: false, followed: true }, null],
    ['public, foreign, nobody follows', { isOurs: false }, 'nobody-asked'],
    ['hostile 62: private, of another', { visibility: 'private', followed: true }, 'not-rebloggable'],
    ['private, their own', { visibility: 'private', author: rita, isOurs: false, followed: true }, null],
    ['hostile 62: direct, even their own', { visibility: 'direct', author: rita, followed: true }, 'not-rebloggable'],
    ['hostile 62: limited', { visibility: 'limited' }, 'not-rebloggable'],
  ])('%s', (_, change, fault) => {
    expect(reblogFault({ ...reblog, ...(change as Partial<typeof reblog>) })).toBe(fault)
  })
})
