/** Tests of the limit of simultaneous requests to one webhook. */
import { expect, test } from 'vitest'
import type { Outcome } from './rules.js'
import { createSlots } from './slots.js'

const DONE: Outcome = { state: 'delivered', status: 200, error: null, retryAfter: null }
const TIMEOUT: Outcome = { state: 'failed', status: null, error: 'timeout', retryAfter: null }

test('deliveries wait for a webhook that responds, and not for one that is silent', async () => {
  const slots = createSlots({ max: 1, silenceMs: 40, waitMs: 60_000 })
  const first = Promise.withResolvers<Outcome>()
  const running = slots.send('1', () => first.promise, false)
  expect(await slots.send('1', async () => DONE, false)).toBeNull()
  expect(await slots.send('2', async () => DONE, false)).toEqual({ outcome: DONE })
  expect(await slots.send('1', async () => DONE, true)).toEqual({ outcome: DONE })
  const waiting = slots.send('1', async () => DONE, false)
  first.resolve(TIMEOUT)
  expect([await running, await waiting]).toEqual([{ outcome: TIMEOUT }, { outcome: DONE }])
})

test('no delivery waits longer than the limit, even if the webhook responds', async () => {
  const slots = createSlots({ max: 1, silenceMs: 60_000, waitMs: 40 })
  const first = Promise.withResolvers<Outcome>()
  const running = slots.send('1', () => first.promise, false)
  expect(await slots.send('1', async () => DONE, false)).toBeNull()
  first.resolve(DONE)
  expect(await running).toEqual({ outcome: DONE })
  expect(await slots.send('1', async () => DONE, false)).toEqual({ outcome: DONE })
})
