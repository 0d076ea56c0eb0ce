/** Responses that cannot be sent: too large for a message, or dropped at a fault point. */
import { internal, operation } from '@murmuration/contracts/kit'
import { type Cluster, startCluster } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type App, type BaseContext, handlersFor, service } from '../src/index.js'

const list = operation('media.word.list', {
  viewer: internal(),
  class: 'write',
  input: z.object({ size: z.int() }),
  output: z.object({ text: z.string() }),
  about: 'A long answer that may not be so long.',
})
const bigList = operation('media.word.big-list', {
  viewer: internal(),
  class: 'write',
  large: true,
  input: z.object({ size: z.int() }),
  output: z.object({ text: z.string() }),
  about: 'An answer in several messages.',
})
const { handle } = handlersFor<BaseContext>()
const app: App = {
  manifest: service('media', {
    operations: [
      handle(list, async (_ctx, _viewer, { size }) => ({ text: 'x'.repeat(size) })),
      handle(bigList, async (_ctx, _viewer, { size }) => ({ text: 'x'.repeat(size) })),
    ],
    roles: { api: { operations: true, scales: 'words', needs: [] } },
  }),
  createContext: (base) => base,
}

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster({ apps: [app], env: { FAULT_POINTS: 'media.beforeReply=drop-reply@4' } })
})
afterAll(() => cluster.stop())

test('F021 a response too large for one message is refused immediately with that reason', async () => {
  const answer = await cluster.request(list, { size: 950_000 })
  expect([answer.meta.status, answer.meta.code]).toEqual([413, 'too_large'])
  expect(JSON.parse(Buffer.from(answer.bytes).toString())).toMatchObject({
    error: 'The response is too large, please request less',
  })
  expect((await cluster.call(list, { size: 800_000 })).text).toHaveLength(800_000)
})

test('F021 a response in more messages than a caller reads is refused, and not cut', async () => {
  const answer = await cluster.request(bigList, { size: 64 * 900_000 })
  expect([answer.meta.status, answer.meta.code]).toEqual([413, 'too_large'])
})

test('the caller of a dropped response gets an error, and draining does not wait for it', async () => {
  const input = { size: 1 }
  const asked = performance.now()
  await expect(cluster.call(list, input)).rejects.toMatchObject({ code: 'unavailable', extras: { retryAfter: 1 } })
  // The deadline is ten seconds. It is detected much earlier that no responder has the request.
  expect(performance.now() - asked).toBeLessThan(8_000)
  const stopped = performance.now()
  await cluster.host.stop()
  expect(performance.now() - stopped).toBeLessThan(10_000)
})
