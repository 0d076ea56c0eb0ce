/** States of a host queue: permitted transitions, and when waiting callers continue. */
import { expect, test } from 'vitest'
import { HostQueue } from './host-queue.js'
import { type HostQueueState, mayEnter } from './host-queue-state.rules.js'

const states: readonly HostQueueState[] = ['idle', 'loading', 'sending', 'checking', 'released']

const queue = (): HostQueue => {
  const health = { failures: 0, paused_until: null, failed_days: null, unavailable_since: null }
  return new HostQueue(
    { id: '1', host: 'x.example', mine: true, pokes: 1, scheme: 0, scheme_at: null, delivered_at: null, ...health },
    0,
  )
}

test.each([
  ['idle', ['loading', 'checking', 'released']],
  ['loading', ['idle', 'sending', 'released']],
  ['sending', ['idle', 'released']],
  ['checking', ['idle', 'loading', 'released']],
  ['released', []],
] as const)('a host queue in %s may enter %j and nothing else', (from, expected) => {
  expect(states.filter((to) => mayEnter(from, to))).toEqual(states.filter((it) => expected.some((to) => to === it)))
})

test('a host queue in loading or checking cannot enter loading again', () => {
  const one = queue()
  expect([one.enter('loading'), one.enter('loading'), one.enter('checking')]).toEqual([true, false, false])
  expect(one.state).toBe('loading')
})

test('a host queue that lost its lease stays released, and has no deliveries in memory', () => {
  const one = queue()
  one.enter('loading')
  one.enter('released')
  expect([one.enter('sending'), one.enter('idle'), one.state, one.items]).toEqual([false, false, 'released', []])
})

test('a caller that waits for a host queue continues when it is idle and not stale, or when it is released', async () => {
  const [idle, released] = [queue(), queue()]
  const done: string[] = []
  idle.whenDone().then(() => done.push('idle'))
  released.whenDone().then(() => done.push('released'))
  for (const one of [idle, released]) one.enter('loading')
  released.enter('released')
  idle.stale = true
  idle.enter('idle')
  await Promise.resolve()
  expect([done, idle.isDone]).toEqual([['released'], false])
  idle.stale = false
  idle.enter('loading')
  idle.enter('idle')
  await Promise.resolve()
  expect([done, idle.isDone]).toEqual([['released', 'idle'], true])
})

test('the idle time of a host queue counts from its last delivery, not from its last check', () => {
  const one = queue()
  one.enter('loading')
  one.enter('idle')
  const since = one.idleSince
  one.enter('loading')
  one.enter('idle')
  expect(one.idleSince).toBe(since)
})
