/** Writes that a suspended process receives when it continues: none is done whose failure was reported. */
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { connectBus, type NatsConnection } from '@murmuration/bus'
import { SOURCE_ARGS, startNats, type TestNats } from '@murmuration/testkit'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createSendRequest } from '../src/index.js'
import { writeOf } from './write.js'

let nats: TestNats
let caller: NatsConnection
const children = new Set<ChildProcess>()
beforeAll(async () => {
  nats = await startNats()
  caller = await connectBus({ url: nats.url, service: 'caller', name: 'caller', password: null })
})
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  children.clear()
})
afterAll(async () => {
  await caller.close()
  await nats.stop()
})

/** Starts a process that serves the write of a service. `done` contains the words that it wrote. */
const start = async (service: string) => {
  const file = fileURLToPath(new URL('./write-responder.ts', import.meta.url))
  const child = spawn(process.execPath, [...SOURCE_ARGS, file, nats.url, service], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.add(child)
  const done: string[] = []
  await new Promise<void>((resolve) => {
    child.stdout?.on('data', (text) => {
      const words = String(text).split('\n').filter(Boolean)
      if (words.includes('ready')) resolve()
      done.push(...words.filter((word) => word !== 'ready'))
    })
  })
  return { child, done }
}
const write = async (service: string, word: string) => {
  const envelope = {
    remainingMs: 30_000,
    caller: null,
    requestId: word,
    commandId: null,
    idempotencyKey: null,
    locale: '',
    traceparent: '',
  }
  return createSendRequest(caller)(writeOf(service), JSON.stringify({ word }), envelope).then(
    ({ meta }) => ({ word, status: meta.status }),
    (error) => ({ word, status: error.status as number }),
  )
}
const words = (count: number) => Array.from({ length: count }, (_, i) => `word-${i}`)
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('a write whose failure was reported is not done when its suspended process continues before the deadline', async () => {
  const [one, other] = [await start('twofold'), await start('twofold')]
  one.child.kill('SIGSTOP')
  const outcomes = await Promise.all(words(20).map((word) => write('twofold', word)))
  const failed = outcomes.filter(({ status }) => status !== 200).map(({ word }) => word)
  expect(failed.length).toBeGreaterThan(0)
  one.child.kill('SIGCONT')
  // It handles new writes.
  await pause(500)
  other.child.kill('SIGSTOP')
  await expect.poll(async () => (await write('twofold', 'new')).status).toBe(200)
  const done = [...one.done, ...other.done]
  expect(done.filter((word) => failed.includes(word))).toEqual([])
  for (const { word, status } of outcomes)
    expect(done.filter((one) => one === word).length).toBe(status === 200 ? 1 : 0)
})

test('writes that wait for the only process are done once when it continues', async () => {
  const only = await start('single')
  expect((await write('single', 'first')).status).toBe(200)
  only.child.kill('SIGSTOP')
  const outcomes = Promise.all(words(20).map((word) => write('single', word)))
  await pause(4_000)
  only.child.kill('SIGCONT')
  expect((await outcomes).map(({ status }) => status)).toEqual(Array(20).fill(200))
  // Its output may be read later than its responses.
  await expect.poll(() => only.done.toSorted()).toEqual(['first', ...words(20)].sort())
  await pause(300)
  expect(only.done).toHaveLength(21)
})
