/** States of a lane: permitted transitions, and when waiting callers continue. */
import { expect, test } from 'vitest'
import { Lane } from './lane.js'
import { type LaneState, mayEnter } from './lane-state.rules.js'

const states: readonly LaneState[] = ['idle', 'loading', 'sending', 'checking', 'released']

const lane = (): Lane => {
  const health = { failures: 0, paused_until: null, failed_days: null, unavailable_since: null }
  return new Lane(
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
] as const)('a lane in %s may enter %j and nothing else', (from, expected) => {
  expect(states.filter((to) => mayEnter(from, to))).toEqual(states.filter((it) => expected.some((to) => to === it)))
})

test('a lane in loading or checking cannot enter loading again', () => {
  const one = lane()
  expect([one.enter('loading'), one.enter('loading'), one.enter('checking')]).toEqual([true, false, false])
  expect(one.state).toBe('loading')
})

test('a lane that lost its lease stays released, and its queue is cleared', () => {
  const one = lane()
  one.enter('loading')
  one.enter('released')
  expect([one.enter('sending'), one.enter('idle'), one.state, one.queue]).toEqual([false, false, 'released', []])
})

test('a caller that waits for a lane continues when it is idle and not stale, or when it is released', async () => {
  const [idle, released] = [lane(), lane()]
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

test('the idle time of a lane counts from its last delivery, not from its last check', () => {
  const one = lane()
  one.enter('loading')
  one.enter('idle')
  const since = one.idleSince
  one.enter('loading')
  one.enter('idle')
  expect(one.idleSince).toBe(since)
})
