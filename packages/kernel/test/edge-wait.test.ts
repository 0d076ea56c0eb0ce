/**
 * EDGE_WAIT_SECONDS: a process with HTTP opens when the operations that it calls have responders and the instance policy
 * is loaded, or after its time limit.
 */
import { connectBus, type NatsConnection, registerService, serveEndpoint } from '@murmuration/bus'
import { internal, operation } from '@murmuration/contracts/kit'
import { startNats, type TestNats } from '@murmuration/testkit'
import { writeEmptyPolicy } from '@murmuration/testkit/instance-policy'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type App, service, startHost } from '../src/index.js'

const say = operation('words.word.say', {
  viewer: internal(),
  class: 'read',
  input: z.object({}),
  output: z.unknown(),
  about: 'Says a word.',
})

let nats: TestNats
let nc: NatsConnection
beforeAll(async () => {
  nats = await startNats()
  nc = await connectBus({ url: nats.url, service: 'words', name: 'words', password: null })
})
afterAll(async () => {
  await nc.close()
  await nats.stop()
})

/** Starts an edge that calls `say`. `opened` is true from the moment at which it listens. */
const start = (seconds: string) => {
  const state = { opened: false }
  const app: App = {
    manifest: service('gateway', {
      database: false,
      roles: { client: { http: { port: 3000, surface: 'client' }, scales: 'requests', needs: ['nats'] } },
      calls: [say],
    }),
    createContext: (base) => base,
    listen: async () => {
      state.opened = true
      return { stop: async () => undefined }
    },
  }
  const env = {
    MODE: 'test',
    SECRET_KEY_BASE: 'a base of more than thirty-two characters',
    NATS_URL: nats.url,
    PORT: '0',
    LOG_LEVEL: 'silent',
    EDGE_WAIT_SECONDS: seconds,
  }
  return { state, host: startHost([{ app }], env) }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 1_500))

test('an edge opens after its time limit although a service does not respond and there is no policy', async () => {
  const began = performance.now()
  const { state, host } = start('1')
  await (await host).stop()
  expect(state.opened).toBe(true)
  expect(performance.now() - began).toBeGreaterThan(900)
})

test('an edge opens when the services that it calls respond and the policy is loaded, and not before', async () => {
  const { state, host } = start('60')
  await pause()
  expect(state.opened).toBe(false)
  serveEndpoint(await registerService(nc, 'words', '1.0.0'), {
    name: 'word.say',
    subject: say.subject,
    about: say.about,
    large: false,
    handle: async () => null,
    unsent: () => undefined,
  })
  await pause()
  expect(state.opened).toBe(false)
  await writeEmptyPolicy(nc)
  await expect.poll(() => state.opened).toBe(true)
  const { running } = await host
  expect(running[0]?.ctx.policy.loaded()).toBe(true)
  await (await host).stop()
})
