/** Domain allows in limited federation mode. */
import {
  createDomainAllow,
  domainAllowRemoved,
  listAuditLog,
  listDomainAllows,
  removeDomainAllow,
  showDomainAllow,
  showInstance,
} from '@murmuration/contracts/admin'
import type { Viewer } from '@murmuration/contracts/kit'
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { as } from './fixtures.js'
import { expectGolden } from './golden.js'
import { type Harness, startHarness, who } from './harness.js'

let harness: Harness
let call: Harness['cluster']['call']
let ada: Viewer
beforeAll(async () => {
  harness = await startHarness({ env: { LIMITED_FEDERATION_MODE: 'true' } })
  call = harness.cluster.call
  ada = as(who(harness, '12'))
})
afterAll(() => harness.cluster.stop())
const allow = (domain: string) => call(createDomainAllow, { domain }, ada)

test('S-059 S-148 allowing a server twice returns the same record and adds one entry to the log', async () => {
  const made = await allow('Good.example')
  expect(made.domain).toBe('good.example')
  expect(await allow('good.example')).toEqual(made)
  const { entries } = await call(listAuditLog, {})
  expect(entries.filter((entry) => entry.action === 'create_domain_allow')).toHaveLength(1)
  await expectGolden('admin-domain-allow', made, harness.cluster.origin, { id: made.id })
  await expect.poll(() => harness.ctx.policy.allows('good.example')).toBe(true)
})

test('simultaneous requests create one allow', async () => {
  const all = await Promise.all(Array.from({ length: 8 }, () => allow('race.example')))
  expect(new Set(all.map((one) => one.id)).size).toBe(1)
})

test('S-147 allows are listed and shown; unknown ones are not found; wrong domains are refused', async () => {
  const all = await call(listDomainAllows, {}, ada)
  expect(all.map((one) => one.domain)).toEqual(['race.example', 'good.example'])
  expect(await call(listDomainAllows, { limit: 1, max_id: all[0]?.id }, ada)).toEqual([all[1]])
  expect(await call(showDomainAllow, { id: all[1]?.id ?? '' }, ada)).toEqual(all[1])
  const limits = [{}, { limit: '500' }, { limit: '501' }].map((page) => listDomainAllows.input.parse(page).limit)
  expect(limits).toEqual([100, 500, 500])
  await expect(call(showDomainAllow, { id: '1' }, ada)).rejects.toMatchObject({
    code: 'not_found',
    message: 'Record not found',
  })
  await expect(allow('')).rejects.toMatchObject({ message: "Validation failed: Domain can't be blank" })
})

test('S-149 S-156 removing an allow suspends the accounts of the server, and allowing it again ends that', async () => {
  const made = await allow('remote.example')
  await harness.cluster.waitForIdle()
  expect(await call(removeDomainAllow, { id: made.id }, ada)).toEqual({})
  await harness.cluster.waitForIdle()
  expect(who(harness, '201').suspended).toBe('domain-allow:remote.example')
  expect(harness.ctx.policy.allows('remote.example')).toBe(false)
  const announced = await harness.cluster
    .db('admin')
    .rows<{ data: string }>(sql`select data from outbox where subject = ${domainAllowRemoved.subject}`)
  expect(announced.map((row) => JSON.parse(row.data).domain)).toEqual(['remote.example'])
  const { entries } = await call(listAuditLog, { limit: 1 })
  expect(entries[0]).toMatchObject({ actor: '12', action: 'destroy_domain_allow', target: 'remote.example' })
  await allow('remote.example')
  await harness.cluster.waitForIdle()
  expect(who(harness, '201').suspended).toBeNull()
  await expect(call(removeDomainAllow, { id: made.id }, ada)).rejects.toMatchObject({ code: 'not_found' })
})

test('the instance document states limited federation', async () => {
  expect((await call(showInstance, {})).configuration.limited_federation).toBe(true)
})
