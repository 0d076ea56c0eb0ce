/** Liveness of a process: it fails while a consumer makes no progress, and not while consumers are idle or the bus is away. */
import { job } from '@murmuration/contracts/kit'
import { type Cluster, startCluster } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type App, type BaseContext, handlersFor, service } from '../src/index.js'

const hang = job('media.hang', {
  data: z.object({}),
  about: 'Hangs until the test releases it.',
  timeoutMs: 50,
  concurrency: 1,
})
const rest = job('media.rest', { data: z.object({}), about: 'Is never queued.', timeoutMs: 50 })
let release = () => {}
const { work } = handlersFor<BaseContext>()
const app: App = {
  manifest: service('media', {
    jobs: [work(hang, () => new Promise<void>((resolve) => (release = resolve))), work(rest, async () => undefined)],
    roles: { worker: { jobs: [hang, rest], ticks: true, scales: 'work', needs: [] } },
    database: true,
  }),
  createContext: (base) => base,
}

/** Seconds; more than two heartbeats of the bus. */
const STUCK_AFTER = 22
let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster({ apps: [app], env: { STUCK_AFTER_SECONDS: String(STUCK_AFTER) } })
})
afterAll(() => cluster.stop())

const get = (path: string) => fetch(`http://127.0.0.1:${cluster.host.healthPort}${path}`)
const livez = async () => {
  const response = await get('/livez')
  return { status: response.status, body: await response.json() }
}
const stuckConsumers = async () =>
  /^murmuration_stuck_consumers (\d+)$/m.exec(await (await get('/metrics')).text())?.[1]
const LONG = { timeout: 60_000, interval: 500 }

test('/livez reports a consumer without progress, and succeeds again when a message ends', async () => {
  const { db, queue } = cluster.host.running[0]!.ctx
  await db.tx((tx) => queue(tx, hang, {}))
  expect(await livez()).toEqual({ status: 200, body: { alive: true } })
  await expect.poll(async () => (await livez()).status, LONG).toBe(503)
  expect(await livez()).toEqual({
    status: 503,
    body: { alive: false, reasons: [expect.stringMatching(/^[a-z_.-]*hang: no message ended for \d+ seconds$/)] },
  })
  expect(await stuckConsumers()).toBe('1')
  release()
  await expect.poll(async () => (await livez()).status, LONG).toBe(200)
  expect(await stuckConsumers()).toBe('0')
})

test('/livez succeeds while the bus is unavailable', async () => {
  await cluster.nats.kill()
  const until = Date.now() + (STUCK_AFTER + 3) * 1_000
  while (Date.now() < until) {
    expect((await livez()).status).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
  await cluster.nats.start()
})
