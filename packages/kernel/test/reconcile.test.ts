/** The reconciler, while a consumer has messages that no process handles: an event is rarely sent again. */
import { sql } from '@murmuration/db'
import { type Cluster, startCluster } from '@murmuration/testkit'
import { jetstreamManager } from '@nats-io/jetstream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, type BaseContext, handlersFor, processOnce, service } from '../src/index.js'
import { type ReconcileOptions, reconcile } from '../src/reconcile.js'
import { said, say, sayWord } from './say.js'

const { react } = handlersFor<BaseContext>()
const heard: string[] = []
let gate = Promise.resolve()
const app: App = {
  manifest: service('media', {
    operations: [sayWord],
    reactions: [
      react(said, 'on-word-said', async (ctx, e) => {
        await gate
        await ctx.db.tx((tx) => processOnce(tx, e, async () => heard.push(e.word)))
      }),
    ],
    announces: [said],
    roles: { api: { operations: true, reactions: true, ticks: true, scales: 'words', needs: [] } },
  }),
  createContext: (base) => base,
}

let cluster: Cluster
/** Lists consumers as if they had been created long ago, and had received messages last at `used`. */
const withOldConsumers = ({ jsm }: ReconcileOptions, used?: string) => {
  async function* list(stream: string) {
    for await (const { delivered, ...info } of jsm.consumers.list(stream))
      yield { ...info, created: '2026-01-01T00:00:00Z', delivered: { ...delivered, last_active: used } }
  }
  return { consumers: { list } } as unknown as ReconcileOptions['jsm']
}
let options: ReconcileOptions
beforeAll(async () => {
  cluster = await startCluster({ apps: [app] })
  // The reconciler marks events as checked if no consumer exists yet.
  await cluster.waitForIdle()
  const { nc, db, log } = cluster.host.running[0]!.ctx
  const jsm = await jetstreamManager(nc, { checkAPI: false })
  options = { manifest: app.manifest, db, nc, jsm, log }
})
afterAll(() => cluster?.stop())

const db = () => cluster.db('media')
const sent = async () => (await db().rows(sql`select 1 from outbox where sent_at is not null`)).length
const unsent = async () => (await db().rows(sql`select 1 from outbox where sent_at is null`)).length
/** Moves the last publication of all events back by some hours, and their storage by a day more. */
const age = (hours: number) =>
  db().run(sql`update outbox set created_at = now() - make_interval(hours => ${hours + 24}),
    sent_at = now() - make_interval(hours => ${hours})`)

test('an event that waits at its consumer is sent again after an hour, and then after twice as long each time', async () => {
  const { promise, resolve: open } = Promise.withResolvers<void>()
  gate = promise
  await cluster.call(say, { word: 'waits' })
  await expect.poll(sent).toBe(1)
  expect(await reconcile(options, 0)).toBe(0)
  await age(1)
  expect(await reconcile(options, 0)).toBe(1)
  await expect.poll(unsent, { timeout: 15_000 }).toBe(0)
  // Stored a day ago and sent just now.
  expect(await reconcile(options, 0)).toBe(0)
  await age(1)
  expect(await reconcile(options, 0)).toBe(0)
  await age(2)
  expect(await reconcile(options, 0)).toBe(1)
  expect(await db().rows(sql`select replays from outbox`)).toEqual([{ replays: 2 }])
  await expect.poll(unsent, { timeout: 15_000 }).toBe(0)
  open()
  await cluster.waitForIdle()
  expect(heard).toEqual(['waits'])
  expect(await reconcile(options, 0)).toBe(0)
})

test('an event is not sent again for a consumer that no reaction of this release has', async () => {
  const config = {
    durable_name: 'media_on-former-word',
    name: 'media_on-former-word',
    filter_subject: said.subject,
    ack_policy: 'explicit',
    deliver_policy: 'all',
  }
  const created = await cluster
    .observer()
    .request(
      '$JS.API.CONSUMER.DURABLE.CREATE.EVT_media.media_on-former-word',
      JSON.stringify({ stream_name: 'EVT_media', config }),
      { timeout: 5_000 },
    )
  expect(created.json()).toMatchObject({ name: 'media_on-former-word' })
  await cluster.call(say, { word: 'unknown there' })
  await expect.poll(() => heard).toContain('unknown there')
  await expect.poll(unsent).toBe(0)
  // The consumer may belong to a newer release, whose processes have not recorded the event yet.
  const recent = sql`select 1 from outbox where reconciled_at is null and created_at > now() - interval '2 hours'`
  expect(await reconcile(options, 0)).toBe(0)
  expect(await db().rows(recent)).toHaveLength(1)
  // An older consumer may belong to a newer release that is rolled out again. It is used then.
  const used = withOldConsumers(options, new Date(Date.now() - 3_600_000).toISOString())
  expect(await reconcile({ ...options, jsm: used }, 0)).toBe(0)
  expect(await db().rows(recent)).toHaveLength(1)
  // Otherwise it belongs to an earlier release.
  expect(await reconcile({ ...options, jsm: withOldConsumers(options) }, 0)).toBe(0)
  expect(await db().rows(recent)).toEqual([])
  await db().run(sql`update outbox set reconciled_at = null`)
  await age(100)
  expect(await reconcile(options, 0)).toBe(0)
  // The events are checked, so their rows can be deleted.
  const unchecked = sql`select 1 from outbox where reconciled_at is null`
  expect(await db().rows(unchecked)).toEqual([])
})
