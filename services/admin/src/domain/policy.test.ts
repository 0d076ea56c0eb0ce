/** The entries of the published policy. */
import { DomainChunk, InstanceSettings, PolicyHead } from '@murmuration/contracts/admin'
import { expect, test } from 'vitest'
import { HEAD, MOST_DOMAINS, policyEntries } from './policy.js'

const settings = InstanceSettings.parse({})
const block = (domain: string) => ({
  domain,
  severity: 'suspend' as const,
  reject_media: false,
  reject_reports: true,
  created_at: new Date('2026-01-01T00:00:00Z'),
})

test('without domains there is only the head', () => {
  const entries = policyEntries({ revision: '7', settings, blocks: [], allows: [] })
  expect([...entries.keys()]).toEqual([HEAD])
  expect(PolicyHead.parse(JSON.parse(entries.get(HEAD) ?? ''))).toEqual({ settings, chunks: 0, rev: '7' })
})

test('every domain stands in exactly one chunk, the same one whatever else is there, and the head is last', () => {
  const many = Array.from({ length: 500 }, (_, i) => block(`bad${i}.example`))
  const placeOf = (entries: Map<string, string>, domain: string) =>
    [...entries].filter(([, text]) => text.includes(`"${domain}"`)).map(([key]) => key)
  const all = policyEntries({ revision: '1', settings, blocks: many, allows: ['good.example'] })
  const one = policyEntries({ revision: '2', settings, blocks: [block('bad7.example')], allows: [] })
  expect([...all.keys()].at(-1)).toBe(HEAD)
  expect(placeOf(all, 'bad7.example')).toHaveLength(1)
  expect(placeOf(one, 'bad7.example')).toEqual(placeOf(all, 'bad7.example'))
  const chunks = [...all].filter(([key]) => key !== HEAD).map(([, text]) => DomainChunk.parse(JSON.parse(text)))
  expect(chunks.flatMap((chunk) => chunk.blocks)).toHaveLength(500)
  expect(chunks.flatMap((chunk) => chunk.allows)).toEqual(['good.example'])
})

test('as many domains as are accepted fit into messages of the bus', () => {
  const blocks = Array.from({ length: MOST_DOMAINS }, (_, i) => block(`server-number-${i}.somewhere.example`))
  const sizes = [...policyEntries({ revision: '1', settings, blocks, allows: [] }).values()].map((text) => text.length)
  expect(Math.max(...sizes)).toBeLessThan(900_000)
})

test('what would not fit is refused rather than published in part', () => {
  const blocks = Array.from({ length: 60_000 }, (_, i) => ({ ...block(`${'x'.repeat(1_000)}${i}`) }))
  expect(() => policyEntries({ revision: '1', settings, blocks, allows: [] })).toThrow('too large to publish')
})
