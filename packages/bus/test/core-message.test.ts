/** Core NATS messages of a connection that drains, on a real bus. */
import { startNats, type TestNats } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectBus, publishCoreMessage } from '../src/index.js'

let nats: TestNats
beforeAll(async () => {
  nats = await startNats()
})
afterAll(() => nats.stop())

const connect = () => connectBus({ url: nats.url, service: 'caller', name: 'caller', password: null })

/** Calls `publish` during the whole drain of a connection and after it. Returns the errors. */
const errorsOfDrain = async (publish: (nc: Awaited<ReturnType<typeof connect>>) => void): Promise<string[]> => {
  const nc = await connect()
  const errors = new Set<string>()
  const attempt = () => {
    try {
      publish(nc)
    } catch (error) {
      errors.add((error as Error).name)
    }
  }
  const drained = nc.drain()
  while (!nc.isClosed()) {
    attempt()
    await Promise.race([drained, new Promise((resolve) => setImmediate(resolve))])
  }
  attempt()
  return [...errors].toSorted()
}

test('the client refuses messages at the end of a drain and afterwards, and core messages are left out then', async () => {
  const expected = ['ClosedConnectionError', 'DrainingConnectionError']
  expect(await errorsOfDrain((nc) => nc.publish('live.user.1', '{}'))).toEqual(expected)
  expect(await errorsOfDrain((nc) => publishCoreMessage(nc, 'live.user.1', '{}'))).toEqual([])
})

test('core messages are received, and invalid subjects are errors', async () => {
  const nc = await connect()
  const received = new Promise<string>((resolve) => {
    nc.subscribe('live.user.1', { callback: (_error, message) => resolve(message.string()) })
  })
  publishCoreMessage(nc, 'live.user.1', 'one')
  expect(await received).toBe('one')
  expect(() => publishCoreMessage(nc, '', 'one')).toThrow()
  await nc.close()
})
