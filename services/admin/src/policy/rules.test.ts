/** The entries of the published policy. */
import { AccessChunk, DomainChunk, InstanceSettings, PolicyHead } from '@murmuration/contracts/admin'
import { expect, test } from 'vitest'
import { MAX_DOMAINS } from '../core/policy-size.rules.js'
import { HEAD, policyEntries } from './rules.js'

const settings = InstanceSettings.parse({})
const none = AccessChunk.parse({})
const block = (domain: string) => ({
  domain,
  severity: 'suspend' as const,
  reject_media: false,
  reject_reports: true,
  created_at: new Date('2026-01-01T00:00:00Z'),
})

test('a policy without domains has only the head entry', () => {
  const entries = policyEntries({ revision: '7', settings, blocks: [], allows: [], access: none })
  expect([...entries.keys()]).toEqual([HEAD])
  expect(PolicyHead.parse(JSON.parse(entries.get(HEAD) ?? ''))).toEqual({ settings, chunks: 0, rev: '7' })
})

test('every domain is in exactly one chunk, independent of other domains, and the head is last', () => {
  const many = Array.from({ length: 500 }, (_, i) => block(`bad${i}.example`))
  const placeOf = (entries: Map<string, string>, domain: string) =>
    [...entries].filter(([, text]) => text.includes(`"${domain}"`)).map(([key]) => key)
  const all = policyEntries({ revision: '1', settings, blocks: many, allows: ['good.example'], access: none })
  const one = policyEntries({ revision: '2', settings, blocks: [block('bad7.example')], allows: [], access: none })
  expect([...all.keys()].at(-1)).toBe(HEAD)
  expect(placeOf(all, 'bad7.example')).toHaveLength(1)
  expect(placeOf(one, 'bad7.example')).toEqual(placeOf(all, 'bad7.example'))
  const chunks = [...all].filter(([key]) => key !== HEAD).map(([, text]) => DomainChunk.parse(JSON.parse(text)))
  expect(chunks.flatMap((chunk) => chunk.blocks)).toHaveLength(500)
  expect(chunks.flatMap((chunk) => chunk.allows)).toEqual(['good.example'])
})

test('the maximum number of domains fits into messages of the bus', () => {
  const blocks = Array.from({ length: MAX_DOMAINS }, (_, i) => block(`server-number-${i}.somewhere.example`))
  const sizes = [...policyEntries({ revision: '1', settings, blocks, allows: [], access: none }).values()].map(
    (text) => text.length,
  )
  expect(Math.max(...sizes)).toBeLessThan(900_000)
})

test('a policy that is too large is refused as a whole', () => {
  const blocks = Array.from({ length: 60_000 }, (_, i) => ({ ...block(`${'x'.repeat(1_000)}${i}`) }))
  expect(() => policyEntries({ revision: '1', settings, blocks, allows: [], access: none })).toThrow(
    'too large to publish',
  )
})

test('access rules are in separate entries before the head', () => {
  const usernames = Array.from({ length: 4_500 }, (_, i) => ({
    username: `name${i}`,
    exact: true,
    allow_with_approval: false,
  }))
  const ips = [{ ip: '192.0.2.0/24', severity: 'no_access' as const, expires_at: null }]
  const entries = policyEntries({
    revision: '1',
    settings,
    blocks: [],
    allows: [],
    access: { ...none, usernames, ips },
  })
  expect([...entries.keys()]).toEqual(['access.0', 'access.1', 'access.2', HEAD])
  expect(PolicyHead.parse(JSON.parse(entries.get(HEAD) ?? '')).access).toBe(3)
  const chunks = [0, 1, 2].map((i) => AccessChunk.parse(JSON.parse(entries.get(`access.${i}`) ?? '')))
  expect(chunks.flatMap((chunk) => chunk.usernames)).toEqual(usernames)
  expect(chunks.flatMap((chunk) => chunk.ips)).toEqual(ips)
})
