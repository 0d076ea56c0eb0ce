/** States of a host: the circuit breaker, the reason why deliveries are held, and the filter of lists. */
import { expect, test } from 'vitest'
import { circuitOf, filterOf, heldOf } from './host.rules.js'

const now = new Date('2026-11-26T12:00:00Z')
const later = new Date('2026-11-26T12:00:01Z')
const earlier = new Date('2026-11-26T11:59:59Z')
const well = { failures: 0, paused_until: null, unavailable_since: null }

test.each([
  ['a host without failures', well, 'closed'],
  ['a host whose pause is over', { ...well, failures: 3, paused_until: earlier }, 'half-open'],
  ['a host with one failure and no pause', { ...well, failures: 1 }, 'half-open'],
  ['a paused host', { ...well, failures: 3, paused_until: later }, 'open'],
  ['a host that asked to wait and did not fail', { ...well, paused_until: later }, 'open'],
  [
    'a host that failed on seven days',
    { ...well, failures: 9, paused_until: later, unavailable_since: now },
    'unavailable',
  ],
] as const)('%s: %s is %s', (_name, host, circuit) => {
  expect(circuitOf(host, now)).toBe(circuit)
})

test('a block is the first reason to hold deliveries, and a half-open host holds none', () => {
  expect([heldOf('unavailable', true), heldOf('unavailable', false), heldOf('open', false)]).toEqual([
    'blocked',
    'unavailable',
    'paused',
  ])
  expect([heldOf('half-open', false), heldOf('closed', false)]).toEqual([null, null])
})

test('an unknown state is refused with a list of the valid states', () => {
  expect([filterOf(undefined), filterOf(null), filterOf('held')]).toEqual([null, null, 'held'])
  expect(() => filterOf('broken')).toThrow('State is none of failing, held, unavailable, ok')
})
