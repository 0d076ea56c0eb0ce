/** Log lines about addresses that requests must not reach. */
import { fetchLinkBack } from '@murmuration/contracts/federation'
import { logLines } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startHarness } from './harness.js'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
  await harness.policy({})
})
afterAll(() => harness.stop())

test('D071 a refusal of the guard is a line with host and reason, once a minute, and nothing else of the address', async () => {
  const look = (url: string, requestId: string) =>
    harness.call(fetchLinkBack, { url, profile: 'https://here.example/@alice' }, null, { requestId })
  const lines = await logLines(harness, 'federation', async () => {
    // No request is sent before the instance policy is loaded.
    await expect
      .poll(() => look('https://10.1.2.3/PATHMARK?token=QUERYMARK', 'first'))
      .toMatchObject({ outcome: 'refused' })
    await look('https://10.1.2.3/PATHMARK', 'second')
    await look('https://remote.example:6379/PATHMARK', 'third')
  })
  const refusals = lines.filter((line) => line.message === 'an address was refused')
  const common = { level: 'info', service: 'federation' }
  expect(refusals).toMatchObject([
    { ...common, requestId: 'first', host: '10.1.2.3', reason: 'the address is not public', unlogged: 0 },
    { ...common, requestId: 'third', host: 'remote.example', reason: 'port 6379 may not be reached' },
  ])
  expect(JSON.stringify(lines)).not.toContain('MARK')
})
