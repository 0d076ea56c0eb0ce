/** Tests of the limit of requests to hosts that do not respond. */
import { expect, test } from 'vitest'
import { createRespondingHostLimit, type Leave } from './responding-host-limit.js'

let time = 0
const limit = () =>
  createRespondingHostLimit({ max: 3, unproven: 1, silenceMs: 20, failures: 2, pauseMs: 1_000, now: () => time })
const entered = async (one: Promise<Leave | null>): Promise<Leave> => {
  const leave = await one
  if (leave === null) throw new Error('no slot')
  return leave
}

test('a new host gets one slot, and more after it responds', async () => {
  const slots = limit()
  const first = await entered(slots.enter('a'))
  const waiting = [slots.enter('a'), slots.enter('a')]
  first(true)
  const [second, third] = await Promise.all(waiting.map(entered))
  await entered(slots.enter('a'))
  const last = slots.enter('a')
  second?.(true)
  third?.(true)
  await entered(last)
})

test('a host that does not respond delays no other host, and gets no further slot', async () => {
  const slots = limit()
  await entered(slots.enter('a'))
  const waiting = slots.enter('a')
  await entered(slots.enter('b'))
  expect(await waiting).toBeNull()
  time += 20
  expect(await slots.enter('a')).toBeNull()
})

test('a host that responded has few slots again while it does not respond', async () => {
  const slots = limit()
  ;(await entered(slots.enter('a')))(true)
  const running = await Promise.all([entered(slots.enter('a')), entered(slots.enter('a'))])
  time += 20
  expect(await slots.enter('a')).toBeNull()
  for (const leave of running) leave(true)
  await entered(slots.enter('a'))
})

test('a host that responds late three times has few slots, and gets more after a response in time', async () => {
  const slots = limit()
  ;(await entered(slots.enter('a')))(true)
  const late = await Promise.all([1, 2, 3].map(() => entered(slots.enter('a'))))
  time += 20
  late[0]?.(true)
  late[1]?.(true)
  const further = await Promise.all([entered(slots.enter('a')), entered(slots.enter('a'))])
  late[2]?.(true)
  for (const leave of further) leave(false)
  const next = await entered(slots.enter('a'))
  expect(await slots.enter('a')).toBeNull()
  next(true)
  await Promise.all([entered(slots.enter('a')), entered(slots.enter('a'))])
})

test('a host gets no request for a pause after several requests without response; fast failures do not count', async () => {
  const slots = limit()
  const fail = async (ms: number) => {
    const leave = await entered(slots.enter('a'))
    time += ms
    leave(false)
  }
  await fail(20)
  await fail(1)
  await fail(20)
  expect(await slots.enter('a')).toBeNull()
  time += 1_000
  await fail(20)
  expect(await slots.enter('a')).toBeNull()
  time += 1_000
  ;(await entered(slots.enter('a')))(true)
  await entered(slots.enter('a'))
})
