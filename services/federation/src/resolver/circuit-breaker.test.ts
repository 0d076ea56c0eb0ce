/** Circuit breaker of fetches: it stays open only if a probe of the host gets no response. */
import { OutboundError } from '@murmuration/outbound'
import { expect, test } from 'vitest'
import { createHostBreaker, PROBES_AT_ONCE, probeBy } from './circuit-breaker.js'

const origin = 'https://far.example'
const host = 'far.example'
const setUp = () => {
  let now = 0
  const probes: ((responded: boolean | null) => void)[] = []
  const breaker = createHostBreaker({ now: () => now, probe: () => new Promise((response) => probes.push(response)) })
  const miss = (times: number) => {
    for (let n = 0; n < times; n++) breaker.failed(origin)
  }
  return {
    breaker,
    miss,
    probes,
    pass: (ms: number) => {
      now += ms
    },
  }
}

test('a host that does not respond to a probe either is blocked for a minute, and probed once', async () => {
  const { breaker, miss, probes, pass } = setUp()
  miss(2)
  expect([breaker.isOpen(host), probes.length]).toEqual([false, 0])
  miss(4)
  expect([breaker.isOpen(host), probes.length]).toEqual([true, 1])
  probes[0]?.(false)
  await Promise.resolve()
  expect([breaker.isOpen(host), breaker.isOpen('near.example')]).toEqual([true, false])
  pass(60_001)
  expect(breaker.isOpen(host)).toBe(false)
})

test('a host that responds to the probe stays reachable, however often other addresses of it time out', async () => {
  const { breaker, miss, probes } = setUp()
  for (let round = 1; round <= 5; round++) {
    miss(3)
    expect(probes.length).toBe(round)
    probes.at(-1)?.(true)
    await Promise.resolve()
    expect(breaker.isOpen(host)).toBe(false)
  }
})

test('any response closes the breaker', () => {
  const { breaker, miss } = setUp()
  miss(3)
  breaker.succeeded(host)
  expect(breaker.isOpen(host)).toBe(false)
  miss(2)
  expect(breaker.isOpen(host)).toBe(false)
})

test('a probe that could not be sent closes the breaker', async () => {
  const { breaker, miss, probes } = setUp()
  miss(3)
  probes[0]?.(null)
  await Promise.resolve()
  expect(breaker.isOpen(host)).toBe(false)
})

test('only a probe that was sent without a response, or refused by the host, keeps the breaker open', async () => {
  const after = (error: Error) => probeBy({ request: () => Promise.reject(error) })(origin)
  const failed = (...given: ConstructorParameters<typeof OutboundError>) => after(new OutboundError(...given))
  expect([
    await failed('timeout', 'queued', { ours: true }),
    await failed('timeout', 'over', { stage: 'unsent' }),
    await failed('connect', 'no sockets', { stage: 'sent', ours: true }),
  ]).toEqual([null, null, null])
  expect([
    await failed('timeout', 'silent', { stage: 'sent' }),
    await failed('connect', 'refused'),
    await failed('too_large', 'much', { stage: 'responded' }),
  ]).toEqual([false, false, true])
})

test('probes beyond the limit are not queued', async () => {
  let asked = 0
  const probe = probeBy({
    request: () => {
      asked += 1
      return new Promise(() => {})
    },
  })
  for (let n = 0; n < PROBES_AT_ONCE; n++) void probe(origin)
  expect([await probe(origin), asked]).toEqual([null, PROBES_AT_ONCE])
})
