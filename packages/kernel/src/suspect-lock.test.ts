/** The suspect lock: a suspect message runs alone, and no message waits longer than its maximum. */
import { setTimeout as pause } from 'node:timers/promises'
import { ReturnToQueue } from '@murmuration/bus'
import { expect, test } from 'vitest'
import { createSuspectLock, type Leave } from './suspect-lock.js'

const never = new AbortController().signal
const unmarked = { patienceMs: 200, lastForMs: 0, joined: () => undefined }
const marked = { ...unmarked, lastForMs: 30 }

/** Records the order in which messages start. */
const harness = () => {
  const suspectLock = createSuspectLock()
  const started: string[] = []
  const leaves = new Map<string, Leave>()
  const record = (name: string) => (leave: Leave) => {
    started.push(name)
    leaves.set(name, leave)
  }
  return {
    started,
    end: async (name: string) => {
      leaves.get(name)?.()
      await pause(1)
    },
    ordinary: async (name: string) => {
      Promise.resolve(suspectLock.enter(never)).then(record(name))
      await pause(1)
    },
    suspect: async (name: string, plan = unmarked) => {
      suspectLock.enterSuspect(plan, never).then(record(name))
      await pause(1)
    },
    suspectLock,
  }
}

test('ordinary messages start at once and together', async () => {
  const { ordinary, started } = harness()
  await ordinary('a')
  await ordinary('b')
  expect(started).toEqual(['a', 'b'])
})

test('a suspect waits for running messages, and later messages wait for the suspect', async () => {
  const { ordinary, suspect, end, started } = harness()
  await ordinary('a')
  await suspect('s1')
  await suspect('s2')
  await ordinary('b')
  expect(started).toEqual(['a'])
  await end('a')
  expect(started).toEqual(['a', 's1'])
  await end('s1')
  expect(started).toEqual(['a', 's1', 's2'])
  await end('s2')
  expect(started).toEqual(['a', 's1', 's2', 'b'])
})

test('a suspect that ended a process before starts after the others, and ordinary messages do not wait for it', async () => {
  const { ordinary, suspect, end, started } = harness()
  await suspect('bad', marked)
  await suspect('s')
  expect(started).toEqual(['s'])
  await end('s')
  await ordinary('a')
  expect(started).toEqual(['s', 'a'])
  await end('a')
  await pause(60)
  expect(started).toEqual(['s', 'a', 'bad'])
})

test('a slow handler delays others only for its maximum wait, and is notified when another suspect starts', async () => {
  const { ordinary, suspect, started } = harness()
  let joined = 0
  await suspect('slow', { ...unmarked, joined: () => void joined++ })
  await ordinary('a')
  expect(started).toEqual(['slow'])
  await pause(260)
  expect([started, joined]).toEqual([['slow', 'a'], 0])
  await suspect('s')
  expect(started).toEqual(['slow', 'a'])
  await pause(260)
  expect([started, joined]).toEqual([['slow', 'a', 's'], 1])
})

test('a worker that stops returns waiting messages, and a suspect stays suspect', async () => {
  const { suspectLock, suspect } = harness()
  await suspect('s')
  const stopping = new AbortController()
  const waiting = [suspectLock.enter(stopping.signal), suspectLock.enterSuspect(unmarked, stopping.signal)]
  const results = Promise.allSettled(waiting)
  stopping.abort()
  const reasons = (await results).map((one) => (one.status === 'rejected' ? one.reason : null))
  expect(reasons.every((one) => one instanceof ReturnToQueue)).toBe(true)
  expect(reasons.map((one: ReturnToQueue) => one.isReported)).toEqual([true, false])
})
