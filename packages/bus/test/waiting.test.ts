/** Tests of the reports of a connection that waits for its first server. */
import { startNats } from '@murmuration/testkit'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { connectBus } from '../src/index.js'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const waits: string[] = []
const connect = (url: string) =>
  connectBus({ url, service: 'test', name: 'test', password: null, onWait: (hosts) => waits.push(hosts) })

test('F082 a connection that no server answers is reported after 5 s and then each minute, without credentials', async () => {
  waits.length = 0
  connect('nats://me:hush@127.0.0.1:1, tls://localhost:2').catch(() => undefined)
  await vi.advanceTimersByTimeAsync(4_900)
  expect(waits).toEqual([])
  await vi.advanceTimersByTimeAsync(200)
  expect(waits).toEqual(['127.0.0.1:1, localhost:2'])
  await vi.advanceTimersByTimeAsync(120_000)
  expect(waits).toHaveLength(3)
})

test('an established connection is not reported as waiting', async () => {
  waits.length = 0
  const nats = await startNats()
  const nc = await connect(nats.url)
  await vi.advanceTimersByTimeAsync(6_000)
  expect(waits).toEqual([])
  vi.useRealTimers()
  await nc.close()
  await nats.stop()
})
