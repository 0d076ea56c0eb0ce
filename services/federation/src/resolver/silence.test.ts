/** Silence counts against a host only when nobody else chose the address. */
import { OutboundError } from '@murmuration/outbound'
import { expect, test } from 'vitest'
import { createSilences, KNOCKS_AT_ONCE, knockBy } from './silence.js'

const origin = 'https://far.example'
const host = 'far.example'
const setUp = () => {
  let now = 0
  const knocks: ((answered: boolean | null) => void)[] = []
  const silences = createSilences({ now: () => now, knock: () => new Promise((answer) => knocks.push(answer)) })
  const miss = (times: number) => {
    for (let n = 0; n < times; n++) silences.missed(origin)
  }
  return {
    silences,
    miss,
    knocks,
    pass: (ms: number) => {
      now += ms
    },
  }
}

test('a host that does not answer a knock either rests for a minute, and is knocked at once', async () => {
  const { silences, miss, knocks, pass } = setUp()
  miss(2)
  expect([silences.rests(host), knocks.length]).toEqual([false, 0])
  miss(4)
  expect([silences.rests(host), knocks.length]).toEqual([true, 1])
  knocks[0]?.(false)
  await Promise.resolve()
  expect([silences.rests(host), silences.rests('near.example')]).toEqual([true, false])
  pass(60_001)
  expect(silences.rests(host)).toBe(false)
})

test('one that answers the knock is asked on, however often other addresses of it stay silent', async () => {
  const { silences, miss, knocks } = setUp()
  for (let round = 1; round <= 5; round++) {
    miss(3)
    expect(knocks.length).toBe(round)
    knocks.at(-1)?.(true)
    await Promise.resolve()
    expect(silences.rests(host)).toBe(false)
  }
})

test('any answer ends the rest', () => {
  const { silences, miss } = setUp()
  miss(3)
  silences.heard(host)
  expect(silences.rests(host)).toBe(false)
  miss(2)
  expect(silences.rests(host)).toBe(false)
})

test('a knock that could not be made says nothing of the host', async () => {
  const { silences, miss, knocks } = setUp()
  miss(3)
  knocks[0]?.(null)
  await Promise.resolve()
  expect(silences.rests(host)).toBe(false)
})

test('only a knock that left and was not answered, or that the host refused, counts against it', async () => {
  const after = (error: Error) => knockBy({ request: () => Promise.reject(error) })(origin)
  const failed = (...given: ConstructorParameters<typeof OutboundError>) => after(new OutboundError(...given))
  expect([
    await failed('timeout', 'no turn', { ours: true }),
    await failed('timeout', 'over', { stage: 'unsent' }),
    await failed('connect', 'no sockets', { stage: 'sent', ours: true }),
  ]).toEqual([null, null, null])
  expect([
    await failed('timeout', 'silent', { stage: 'sent' }),
    await failed('connect', 'refused'),
    await failed('too_large', 'much', { stage: 'answered' }),
  ]).toEqual([false, false, true])
})

test('no knock waits for its turn', async () => {
  let asked = 0
  const knock = knockBy({
    request: () => {
      asked += 1
      return new Promise(() => {})
    },
  })
  for (let n = 0; n < KNOCKS_AT_ONCE; n++) void knock(origin)
  expect([await knock(origin), asked]).toEqual([null, KNOCKS_AT_ONCE])
})
