// Effects of responses on the health of a host and on a delivery, and choice of the next delivery.
import { describe, expect, test } from 'vitest'
import {
  type Attempt,
  cap,
  HEALTHY,
  type Health,
  isStuck,
  isUnordered,
  NO_RESPONSE,
  outcomeOf,
  pick,
  TIMED_OUT,
  UNAVAILABLE_AFTER_DAYS,
} from './host-queue.rules.js'
import { classifyResponse } from './result.rules.js'

const day = 86_400_000
const start = Date.parse('2026-11-21T12:00:00Z')
const on = (health: Health, status: number | null, more = {}) =>
  outcomeOf(
    health,
    classifyResponse(status === null ? { failure: 'connect', retryable: true } : { status, headers: {} }, start),
    { attempts: 0, madeAt: start, now: start, random: 0.5, ...more },
  )
const often = (status: number | null, times: number): Health =>
  Array.from({ length: times }).reduce<Health>((health) => on(health, status).health, HEALTHY)

test('a success resets the health of the host and makes its pending deliveries due', () => {
  const bad: Health = { failures: 3, pausedUntil: start - 1, failedDays: ['2026-11-20'], unavailableSince: null }
  expect(on(bad, 202)).toMatchObject({ health: HEALTHY, fate: { state: 'delivered' }, revived: true })
  expect(on(HEALTHY, 202)).toMatchObject({ health: HEALTHY, revived: false })
})

test('F044 the first failure without a response pauses the host, and it gets one probe at a time', () => {
  const { health, fate } = on(HEALTHY, null)
  expect(health).toMatchObject({ failures: 1, pausedUntil: start + 15_000 })
  expect(fate).toEqual({ state: 'pending', nextAt: start + 15_000 })
  expect([cap(HEALTHY, true), cap(health, true), cap(HEALTHY, false)]).toEqual([2, 1, 1])
})

test('a host that responds with errors is paused only after several', () => {
  expect(often(500, 9).pausedUntil).toBeNull()
  expect(often(500, 10).pausedUntil).toBe(start + 60_000)
  expect(often(500, 12).pausedUntil).toBe(start + 240_000)
})

test('F046 a pause by Retry-After is not ended by the response to an earlier request', () => {
  const asked = outcomeOf(HEALTHY, classifyResponse({ status: 429, headers: { 'retry-after': '120' } }, start), {
    attempts: 0,
    madeAt: start,
    now: start,
    random: 0.5,
  }).health
  expect(asked.pausedUntil).toBe(start + 120_000)
  expect(on(asked, 202).health.pausedUntil).toBe(start + 120_000)
  expect(on(asked, 202, { now: start + 120_000 }).health).toEqual(HEALTHY)
})

test('F047 a refusal resets the failures of the host and keeps its failed days', () => {
  const bad: Health = { failures: 2, pausedUntil: null, failedDays: ['2026-11-20'], unavailableSince: null }
  expect(on(bad, 403)).toMatchObject({
    fate: { state: 'refused' },
    health: { failures: 0, failedDays: ['2026-11-20'] },
  })
})

test('F047 a delivery that always gets 401 is refused after four attempts', () => {
  expect(on(HEALTHY, 401, { attempts: 2 }).fate.state).toBe('pending')
  expect(on(HEALTHY, 401, { attempts: 3 }).fate.state).toBe('refused')
})

test('F052 failures on seven days make a host unavailable, and its pending deliveries are given up', () => {
  let health = HEALTHY
  for (let n = 0; n < UNAVAILABLE_AFTER_DAYS - 1; n++) {
    const once = on(health, null, { now: start + n * day, madeAt: start + n * day })
    health = on(once.health, 503, { now: start + n * day + 1_000, madeAt: start + n * day }).health
    expect(health).toMatchObject({ unavailableSince: null, failedDays: { length: n + 1 } })
  }
  const last = on(health, null, { now: start + 6 * day, madeAt: start + 6 * day })
  expect(last).toMatchObject({
    abandoned: true,
    fate: { state: 'gave-up' },
    health: { unavailableSince: start + 6 * day },
  })
  const probe = on(last.health, null, { now: start + 8 * day, madeAt: start + 8 * day })
  expect(probe).toMatchObject({ abandoned: true, fate: { state: 'gave-up' }, health: { failedDays: { length: 7 } } })
  expect(on(probe.health, 202, { now: start + 9 * day })).toMatchObject({ health: HEALTHY, revived: true })
})

test('429 and 401 do not count as failed days', () => {
  expect([
    on(HEALTHY, 429).health.failedDays,
    on(HEALTHY, 401).health.failedDays,
    on(HEALTHY, 500).health.failedDays,
  ]).toEqual([[], [], ['2026-11-21']])
})

test('after seven days a delivery is given up', () => {
  expect(on(HEALTHY, 500, { attempts: 20, madeAt: start - 7 * day }).fate).toEqual({ state: 'gave-up' })
})

const timeout = (health: Health, more: Partial<Attempt> = {}) =>
  outcomeOf(health, classifyResponse({ failure: 'timeout', retryable: true }, start), {
    attempts: 0,
    madeAt: start,
    now: start,
    random: 0.5,
    tookBefore: true,
    ...more,
  })

test('the first time-out postpones only its delivery, and the second in a row pauses the host', () => {
  const first = timeout(HEALTHY)
  expect(first).toMatchObject({ fate: { nextAt: start + 15_000 }, health: { failures: 1, pausedUntil: null } })
  expect(timeout(first.health).health).toMatchObject({ failures: 2, pausedUntil: start + 15_000 })
})

test('a delivery that times out again does not pause its host', () => {
  const once = timeout(HEALTHY).health
  const again = timeout(once, { attempts: 5 })
  expect(again.health).toMatchObject({ failures: 1, pausedUntil: null })
  expect(timeout(HEALTHY, { attempts: 5 }).health).toMatchObject({ failures: 0, pausedUntil: null })
})

test('a delivery that fails again adds no failed day to a healthy host', () => {
  expect(timeout(HEALTHY, { attempts: 1 }).health).toEqual(HEALTHY)
  expect(on(HEALTHY, null, { attempts: 4, tookSince: true }).health).toEqual(HEALTHY)
  // A host that failed since its last success may be down.
  const once = timeout(HEALTHY).health
  expect(timeout(once, { attempts: 1, now: start + day }).health.failedDays).toEqual(['2026-11-21', '2026-11-22'])
})

test('a time-out does not change the health of a host that responds to other deliveries', () => {
  expect(timeout(HEALTHY, { othersResponded: true })).toMatchObject({ health: HEALTHY, fate: { state: 'pending' } })
})

test.each(['connect', 'protocol', 'too_large'])(
  'the failure %s does not change the health of a host that responds to other deliveries',
  (failure) => {
    const result = classifyResponse({ failure, retryable: true }, start)
    const attempt = { attempts: 0, madeAt: start, now: start, random: 0.5, othersResponded: true }
    expect(outcomeOf(HEALTHY, result, attempt)).toMatchObject({ health: HEALTHY, fate: { state: 'pending' } })
  },
)

describe('a delivery that fails without a response', () => {
  const result = classifyResponse({ failure: 'connect', retryable: true }, start)
  const after = (failures: number): Health => ({ ...HEALTHY, failures })

  test('is stuck from the fifth attempt on if the host accepted others between its attempts', () => {
    expect(isStuck(after(1), result, { attempts: 4, tookSince: true })).toBe(true)
    expect(isStuck(after(1), result, { attempts: 3, tookSince: true })).toBe(false)
    expect(isStuck(after(4), result, { attempts: 4, tookSince: true, othersResponded: true })).toBe(true)
    expect(isUnordered({ attempts: 5, status: NO_RESPONSE })).toBe(true)
  })

  test('is not stuck if the host is down for all, also if it accepted another during the first attempt', () => {
    expect(isStuck(after(4), result, { attempts: 4, tookSince: true })).toBe(false)
    expect(isStuck(after(3), result, { attempts: 4, tookSince: true })).toBe(false)
    expect(isStuck(after(0), result, { attempts: 4, tookSince: false })).toBe(false)
  })

  test('does not pause its host if it is stuck, and pauses it otherwise', () => {
    const paused = on(after(1), null, { attempts: 4, tookSince: false }).health.pausedUntil
    expect(paused).toBe(start + 60_000)
    const { health, fate } = on(HEALTHY, null, { attempts: 4, tookSince: true })
    expect(health).toMatchObject({ failures: 0, pausedUntil: null })
    expect(fate).toEqual({ state: 'pending', nextAt: start + 3_600_000 })
  })

  test.each([null, 502])('is retried after other deliveries if it fails again, with status %s', (status) => {
    const { health, fate } = on(after(1), status, { attempts: 1 })
    expect(health.pausedUntil).toBe(start + 60_000)
    expect(fate).toEqual({ state: 'pending', nextAt: start + 65_000 })
  })
})

test.each([
  [503, '2', 60],
  [429, '3600', 3_600],
  [500, '3600', 3_600],
])('a delivery that gets %i with Retry-After %s again is retried after other deliveries', (status, after, pause) => {
  const result = classifyResponse({ status, headers: { 'retry-after': after } }, start)
  const failing: Health = { ...HEALTHY, failures: 1 }
  const { health, fate } = outcomeOf(failing, result, { attempts: 1, madeAt: start, now: start, random: 0.5 })
  expect(health.pausedUntil).toBe(start + pause * 1_000)
  expect(fate).toEqual({ state: 'pending', nextAt: start + pause * 1_000 + 5_000 })
})

describe('the next delivery', () => {
  const one = (id: number, actor: string, about = `about ${id}`, status: number | null = null) => ({
    id,
    actor,
    about,
    activity: `${id}0`,
    attempts: status === null ? 0 : 1,
    status,
  })
  const queue = [one(1, 'a'), one(2, 'a'), one(3, 'b')]
  const entries = (...them: [string, string][]) => new Map(them.map(([key, activity]) => [key, { activity }]))
  const busy = (...them: [string, string][]) => ({ actors: entries(...them), objects: entries() })
  const room = { ordinary: true, unordered: true }

  test('is the first whose actor has no other delivery in flight', () => {
    expect(pick(queue, busy(), room)?.id).toBe(1)
    expect(pick(queue, busy(['a', '9']), room)?.id).toBe(3)
    expect(pick(queue, busy(['a', '9'], ['b', '9']), room)).toBeUndefined()
    expect(pick(queue.slice(1), busy(['a', '20']), room)?.id).toBe(2)
  })

  test('may precede one that timed out, unless both are about the same object', () => {
    const late = [one(1, 'a', 'x', TIMED_OUT), one(2, 'a', 'x'), one(3, 'a', 'y')]
    expect(pick(late, busy(), room)?.id).toBe(1)
    expect(pick(late, busy(), { ordinary: true, unordered: false })?.id).toBe(3)
    expect(pick(late.slice(1), { actors: entries(), objects: entries(['x', '10']) }, room)?.id).toBe(3)
  })
})
