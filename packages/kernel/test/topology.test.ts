/** Streams and consumers that an operator deletes while the bus stays up: they are created again when they are missed. */
import { type Cluster, startCluster } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, type BaseContext, handlersFor, processOnce, service } from '../src/index.js'
import { said, say, sayWord } from './say.js'

const { react } = handlersFor<BaseContext>()
const heard: string[] = []
const app: App = {
  manifest: service('media', {
    operations: [sayWord],
    reactions: [
      react(said, 'on-word-said', (ctx, e) =>
        ctx.db.tx(async (tx) => {
          await processOnce(tx, e, async () => heard.push(e.word))
        }),
      ),
    ],
    announces: [said],
    roles: { api: { operations: true, reactions: true, ticks: true, scales: 'words', needs: [] } },
  }),
  createContext: (base) => base,
}

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster({ apps: [app] })
})
afterAll(() => cluster?.stop())

const remove = async (what: string) => {
  const reply = await cluster.observer().request(`$JS.API.${what}`, '', { timeout: 5_000 })
  expect(reply.json()).toMatchObject({ success: true })
}

/** State of readiness, and the reasons why the process is not ready. */
const readiness = async ({ host }: Pick<Cluster, 'host'>) => {
  const response = await fetch(`http://127.0.0.1:${host.healthPort}/readyz`)
  const { reasons = {} } = (await response.json()) as { reasons?: Record<string, string> }
  return { status: response.status, reasons }
}

test('a process with all its streams and consumers is ready', async () => {
  await expect.poll(() => readiness(cluster)).toEqual({ status: 200, reasons: {} })
})

test('a process whose stream NATS refuses is not ready, and shows the reason', async () => {
  // NATS reserves the bytes of a stream. The server of the tests has less.
  const other = await startCluster({ apps: [app], env: { NATS_STREAM_BYTES: String(2 ** 45) } })
  try {
    await expect
      .poll(() => readiness(other))
      .toEqual({
        status: 503,
        reasons: { 'media.streams': 'the stream EVT_media is missing: insufficient storage resources available' },
      })
  } finally {
    await other.stop()
  }
})

test('F017 a deleted consumer is created again at once, and receives the next event', async () => {
  await cluster.call(say, { word: 'before' })
  await expect.poll(() => heard).toEqual(['before'])
  await remove('CONSUMER.DELETE.EVT_media.media_on-word-said')
  await cluster.call(say, { word: 'after' })
  await expect.poll(() => heard).toContain('after')
  // The new consumer starts at the beginning of the stream. Known events have no second effect.
  expect(heard).toEqual(['before', 'after'])
})

test('F017 a deleted stream is created again when an event is refused, and receives that event', async () => {
  await remove('STREAM.DELETE.EVT_media')
  await cluster.call(say, { word: 'without stream' })
  await expect.poll(() => heard).toContain('without stream')
})
