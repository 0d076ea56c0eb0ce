// Need of a probe instead of an unanswered delivery, and the time of that delivery after its probe failed.
import { expect, test } from 'vitest'
import { HEALTHY, type Health, TIMED_OUT } from './host-queue.rules.js'
import { dueAfterProbe, needsProbe } from './probe.rules.js'

const hour = 3_600_000
const start = Date.parse('2026-11-21T12:00:00Z')
const head = { madeAt: start, attempts: 5, status: null }
const failing = (failures: number): Health => ({ ...HEALTHY, failures })
const needs = (
  it: { attempts?: number; status?: number | null; health?: Health; deliveredAt?: number; now?: number } = {},
) => {
  const { health = failing(5), deliveredAt, now = start + hour, ...more } = it
  const host = { health, deliveredAt: deliveredAt === undefined ? null : new Date(deliveredAt) }
  return needsProbe({ ...head, ...more }, host, now)
}

test('a probe is sent instead of a delivery whose five attempts got no response', () => {
  expect([needs(), needs({ attempts: 9 }), needs({ attempts: 4 })]).toEqual([true, true, false])
  expect([needs({ status: 502 }), needs({ status: TIMED_OUT })]).toEqual([false, false])
})

test('no probe is sent if the host accepted others between the attempts, because the delivery itself then counts as stuck', () => {
  expect(needs({ health: HEALTHY, deliveredAt: start + 1 })).toBe(false)
  expect(needs({ health: failing(3), deliveredAt: start + 1 })).toBe(false)
  expect(needs({ health: failing(4), deliveredAt: start + 1 })).toBe(true)
  expect(needs({ health: HEALTHY, deliveredAt: start - 1 })).toBe(true)
})

test('a probe is also sent if valid requests of the host reset its failures', () => {
  expect(needs({ health: HEALTHY })).toBe(true)
})

test('the last attempt of a delivery is not replaced by a probe', () => {
  expect([needs({ now: start + 168 * hour - 1 }), needs({ now: start + 168 * hour })]).toEqual([true, false])
})

test('a failed probe counts as an attempt of the delivery, which is due by its own schedule and after the pause', () => {
  const now = start + hour
  const due = (attempts: number, health: Health, responded = false) =>
    dueAfterProbe({ ...head, attempts }, health, { now, random: 0.5, responded })
  expect([due(5, HEALTHY), due(6, HEALTHY), due(7, HEALTHY)]).toEqual([3, 6, 12].map((hours) => now + hours * hour))
  expect(due(5, { ...HEALTHY, pausedUntil: now + 5 * hour })).toBe(now + 5 * hour + 5_000)
  expect(due(7, HEALTHY, true), 'after a failing response to the probe').toBe(now + 15_000)
  const late = dueAfterProbe({ ...head, attempts: 9 }, HEALTHY, {
    now: start + 160 * hour,
    random: 0.5,
    responded: false,
  })
  expect(late).toBe(start + 168 * hour)
})
