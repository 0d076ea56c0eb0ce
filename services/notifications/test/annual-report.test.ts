/** Notifications of annual reports. */
import type { Viewer } from '@murmuration/contracts/kit'
import { listGroups, listNotifications } from '@murmuration/contracts/notifications'
import { annualReportMade } from '@murmuration/contracts/statuses'
import { viewer } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startHarness } from './harness.js'

let harness: Harness
let alice: Viewer
beforeAll(async () => {
  harness = await startHarness()
  harness.fakeAccounts.set('1', { id: '1', username: 'alice' })
  alice = viewer('1')
})
afterAll(() => harness.stop())

test('S-165 S-071 an account is notified once of its annual report, and only groups contain the year', async () => {
  await harness.announce(annualReportMade, { id: '9', account: '1', year: 2025 })
  await harness.announce(annualReportMade, { id: '9', account: '1', year: 2025 })
  const [only, ...more] = await harness.cluster.call(listNotifications, { supported_types: ['mention'] }, alice)
  expect(more).toEqual([])
  expect(only).toMatchObject({ type: 'annual_report', account: { id: '1' } })
  expect(only).not.toHaveProperty('annual_report')
  expect(only).not.toHaveProperty('fallback')
  const { notification_groups } = await harness.cluster.call(listGroups, {}, alice)
  expect(notification_groups).toEqual([
    expect.objectContaining({ type: 'annual_report', annual_report: { year: '2025' }, sample_account_ids: ['1'] }),
  ])
})
