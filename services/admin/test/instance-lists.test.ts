/** Peers, weekly activity and terms of service, and the settings that publish them. */
import {
  createDomainBlock,
  instanceActivity,
  listPeers,
  publishTermsOfService,
  searchPeers,
  setSetting,
  showInstance,
  termsOfServiceAt,
  termsOfServiceNow,
} from '@murmuration/contracts/admin'
import { InstanceActivity, TermsOfService } from '@murmuration/contracts/entities'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Context } from '../src/context.js'
import { as } from './fixtures.js'
import { type Harness, startHarness, who } from './harness.js'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.cluster.stop())

const set = async (name: string, value: string) => {
  await harness.cluster.call(setSetting, { name, value })
  await expect.poll(() => String(harness.ctx.policy.settings()[name as 'peers_api_enabled'])).toBe(value)
}

test('peers are known servers that are not suspended', async () => {
  await harness.cluster.call(
    createDomainBlock,
    { domain: 'blocked.example', severity: 'suspend' },
    as(who(harness, '13')),
  )
  await expect.poll(() => harness.ctx.policy.domainRule('sub.blocked.example')?.severity).toBe('suspend')
  expect(await harness.cluster.call(listPeers, {})).toEqual(['a.example', 'aa.example', 'away.example', 'b.example'])
})

test('S-089 peers are found by the start of their domain, at most ten; an empty query finds none', async () => {
  expect(await harness.cluster.call(searchPeers, { q: 'A' })).toEqual(['a.example', 'aa.example', 'away.example'])
  expect(await harness.cluster.call(searchPeers, { q: 'sub' })).toEqual([])
  expect(await harness.cluster.call(searchPeers, {})).toEqual([])
  const many = Array.from({ length: 12 }, (_, n) => `peer${String(n).padStart(2, '0')}.example`)
  const { ctx } = harness as unknown as { ctx: Context }
  const peers = vi.spyOn(ctx, 'peers').mockResolvedValue([...many, 'distant.example'])
  expect(await harness.cluster.call(searchPeers, { q: 'peer' })).toEqual(many.slice(0, 10))
  peers.mockRestore()
})

test('A071 S-089 peers are not shown if staff does not publish them', async () => {
  await set('peers_api_enabled', 'false')
  await expect(harness.cluster.call(listPeers, {})).rejects.toThrow('Not Found')
  await expect(harness.cluster.call(searchPeers, { q: 'a' })).rejects.toThrow('Not Found')
  await set('peers_api_enabled', 'true')
})

test('activity has twelve weeks from Mondays, newest first; not shown if staff does not publish it', async () => {
  const weeks = InstanceActivity.array().parse(await harness.cluster.call(instanceActivity, {}))
  expect(weeks).toHaveLength(12)
  expect(weeks[2]).toMatchObject({ statuses: '20', logins: '3', registrations: '2' })
  const starts = weeks.map(({ week }) => new Date(Number(week) * 1_000))
  expect(new Set(starts.map((at) => `${at.getUTCDay()} ${at.getUTCHours()}`))).toEqual(new Set(['1 0']))
  expect(starts[0]?.getTime()).toBeGreaterThan(harness.ctx.clock.now() - 7 * 86_400_000)
  await set('activity_api_enabled', 'false')
  await expect(harness.cluster.call(instanceActivity, {})).rejects.toThrow('Not Found')
})

test('peers and activity are unavailable until the settings and domain blocks are loaded', async () => {
  const loaded = vi.spyOn(harness.ctx.policy, 'loaded').mockReturnValue(false)
  for (const operation of [listPeers, searchPeers, instanceActivity])
    await expect(harness.cluster.call(operation, {})).rejects.toMatchObject({ status: 503, extras: { retryAfter: 1 } })
  loaded.mockRestore()
  expect(await harness.cluster.call(listPeers, {})).toContain('a.example')
})

test('terms of service apply from their day on, and contain the date of the next version', async () => {
  const day = (days: number) => new Date(harness.ctx.clock.now() + days * 86_400_000).toISOString().slice(0, 10)
  await expect(harness.cluster.call(termsOfServiceNow, {})).rejects.toThrow('Record not found')
  const publish = (text: string, days: number) =>
    harness.cluster.call(publishTermsOfService, { text, effective_date: day(days) })
  await expect(publish('# Late', -1)).rejects.toThrow('Validation failed: Effective date is too soon')
  await publish('# Later at %{domain}', 30)
  expect(await harness.cluster.call(termsOfServiceNow, {})).toMatchObject({ effective: false, effective_date: day(30) })
  await publish('# Now', 0)
  const now = TermsOfService.parse(await harness.cluster.call(termsOfServiceNow, {}))
  expect(now).toMatchObject({ effective: true, effective_date: day(0), succeeded_by: day(30) })
  expect(now.content).toContain('<h1>Now</h1>')
  await expect(publish('# Changed', 0)).rejects.toThrow('too soon')
  const later = await harness.cluster.call(termsOfServiceAt, { date: day(30) })
  expect(later).toMatchObject({ effective: false, succeeded_by: null })
  expect((later as TermsOfService).content).not.toContain('%{domain}')
  await expect(harness.cluster.call(termsOfServiceAt, { date: '2001-01-01' })).rejects.toThrow('Record not found')
  const { configuration } = await harness.cluster.call(showInstance, {})
  expect(configuration.urls.terms_of_service).toMatch(/\/terms-of-service$/)
})
