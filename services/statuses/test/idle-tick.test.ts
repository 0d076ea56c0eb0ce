/** Ticks that run every two seconds and mostly find nothing to do. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '../src/context.js'
import { previewDue } from '../src/preview-card/ticks.js'
import { publishDue } from '../src/scheduled/ticks.js'
import { type Harness, startHarness } from './harness.js'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.stop())

test.each([
  ['publish-due', publishDue],
  ['preview-due', previewDue],
])('%s is one check without a transaction while nothing is due', async (_name, tick) => {
  const { ctx } = harness.cluster.host.running.find((one) => one.service === 'statuses') ?? {}
  const { db } = ctx as unknown as Context
  const sent: string[] = []
  const seen = {
    ...db,
    exists: (query: { text: string }) => {
      sent.push(query.text)
      return db.exists(query as never)
    },
    row: () => Promise.reject(new Error('a further statement')),
    tx: () => Promise.reject(new Error('a transaction')),
  }
  await tick.run({ ...ctx, db: seen } as never)
  expect(sent).toHaveLength(1)
})
