// How answers change the health of a host and the fate of a delivery, and which delivery goes next.
import { expect, test } from 'vitest'
import { cap, type Health, outcomeOf, pick, sound, UNAVAILABLE_AFTER_DAYS } from './lane.js'
import { verdictOn } from './verdict.js'

const day = 86_400_000
const start = Date.parse('2026-11-21T12:00:00Z')
const on = (health: Health, status: number | null, more = {}) =>
  outcomeOf(
    health,
    verdictOn(status === null ? { failure: 'connect', retryable: true } : { status, headers: {} }, start),
    { attempts: 0, madeAt: start, now: start, random: 0.5, ...more },
  )
const often = (status: number | null, times: number): Health =>
  Array.from({ length: times }).reduce<Health>((health) => on(health, status).health, sound)

test('a success forgets everything and wakes what waits', () => {
  const bad: Health = { failures: 3, pausedUntil: start - 1, failedDays: ['2026-11-20'], unavailableSince: null }
  expect(on(bad, 202)).toMatchObject({ health: sound, fate: { state: 'delivered' }, revived: true })
  expect(on(sound, 202)).toMatchObject({ health: sound, revived: false })
})

test('F044 the first silence pauses the host, and one probe at a time goes there', () => {
  const { health, fate } = on(sound, null)
  expect(health).toMatchObject({ failures: 1, pausedUntil: start + 15_000 })
  expect(fate).toEqual({ state: 'pending', nextAt: start + 15_000 })
  expect([cap(sound, true), cap(health, true), cap(sound, false)]).toEqual([2, 1, 1])
})

test('a host that errs is paused only when it keeps erring', () => {
  expect(often(500, 9).pausedUntil).toBeNull()
  expect(often(500, 10).pausedUntil).toBe(start + 60_000)
  expect(often(500, 12).pausedUntil).toBe(start + 240_000)
})

test('F046 a pause that was asked for outlives an answer to an earlier request', () => {
  const asked = outcomeOf(sound, verdictOn({ status: 429, headers: { 'retry-after': '120' } }, start), {
    attempts: 0,
    madeAt: start,
    now: start,
    random: 0.5,
  }).health
  expect(asked.pausedUntil).toBe(start + 120_000)
  expect(on(asked, 202).health.pausedUntil).toBe(start + 120_000)
  expect(on(asked, 202, { now: start + 120_000 }).health).toEqual(sound)
})

test('F047 a refusal shows that the host is up, and leaves its bad days', () => {
  const bad: Health = { failures: 2, pausedUntil: null, failedDays: ['2026-11-20'], unavailableSince: null }
  expect(on(bad, 403)).toMatchObject({
    fate: { state: 'refused' },
    health: { failures: 0, failedDays: ['2026-11-20'] },
  })
})

test('F047 a signature that is never understood is refused after four attempts', () => {
  expect(on(sound, 401, { attempts: 2 }).fate.state).toBe('pending')
  expect(on(sound, 401, { attempts: 3 }).fate.state).toBe('refused')
})

test('F052 failures on seven days make a host unavailable, and what waits is given up', () => {
  let health = sound
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
  expect(on(probe.health, 202, { now: start + 9 * day })).toMatchObject({ health: sound, revived: true })
})

test('a host that asks for patience or for a better signature is not down', () => {
  expect([
    on(sound, 429).health.failedDays,
    on(sound, 401).health.failedDays,
    on(sound, 500).health.failedDays,
  ]).toEqual([[], [], ['2026-11-21']])
})

test('after seven days a delivery is given up', () => {
  expect(on(sound, 500, { attempts: 20, madeAt: start - 7 * day }).fate).toEqual({ state: 'gave-up' })
})

test('the next delivery is the first whose actor has nothing else on the way', () => {
  const queue = [
    { id: 1, actor: 'a', activity: '10' },
    { id: 2, actor: 'a', activity: '20' },
    { id: 3, actor: 'b', activity: '30' },
  ]
  const busy = (...them: [string, string][]) => new Map(them.map(([actor, activity]) => [actor, { activity }]))
  expect(pick(queue, busy())?.id).toBe(1)
  expect(pick(queue, busy(['a', '9']))?.id).toBe(3)
  expect(pick(queue, busy(['a', '9'], ['b', '9']))).toBeUndefined()
  expect(pick(queue.slice(1), busy(['a', '20']))?.id).toBe(2)
})
