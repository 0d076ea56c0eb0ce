/** A service that queues jobs and announces no events: its outbox is reconciled and cleared too. */
import { internal, job, operation } from '@murmuration/contracts/kit'
import { sql } from '@murmuration/db'
import { type Cluster, startCluster } from '@murmuration/testkit'
import { jetstreamManager } from '@nats-io/jetstream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type App, type BaseContext, handlersFor, service } from '../src/index.js'
import { deleteOldRows } from '../src/old-rows.js'
import { reconcile } from '../src/reconcile.js'

const echo = job('media.echo', { data: z.object({ word: z.string() }), about: 'Echoes.' })
const broken = job('media.broken', {
  data: z.object({}),
  about: 'Has a defect.',
  retry: { delays: [0.05], times: 30, defectTimes: 2 },
})
const say = operation('media.word.say', {
  viewer: internal(),
  class: 'write',
  input: z.object({ word: z.string() }),
  output: z.object({}),
  about: 'Says a word.',
})
const { handle, work } = handlersFor<BaseContext>()
const echoed: string[] = []
const app: App = {
  manifest: service('media', {
    operations: [
      handle(say, (ctx, _viewer, { word }) =>
        ctx.db.tx(async (tx) => {
          await ctx.queue(tx, echo, { word })
          return {}
        }),
      ),
    ],
    jobs: [
      work(echo, async (_ctx, { word }) => void echoed.push(word)),
      work(broken, () => Promise.reject(new TypeError('a defect'))),
    ],
    roles: { worker: { operations: true, ticks: true, jobs: [echo, broken], scales: 'words', needs: [] } },
  }),
  createContext: (base) => base,
}

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster({ apps: [app] })
})
afterAll(() => cluster.stop())

test('F017 a job that the bus lost is found and done, and done jobs are deleted from the outbox', async () => {
  const { ctx } = cluster.host.running[0]!
  const { nc, db, log } = ctx
  const options = {
    manifest: app.manifest,
    db: db!,
    nc,
    jsm: await jetstreamManager(nc, { checkAPI: false }),
    log,
  }
  await cluster.call(say, { word: 'done' })
  await cluster.waitForIdle()
  expect(echoed).toEqual(['done'])
  await cluster
    .db('media')
    .run(
      sql`insert into outbox (id, subject, data, sent_at) values (${'78'}, ${echo.subject}, ${'{"word":"lost"}'}, now())`,
    )
  expect(await reconcile(options, 0)).toBe(1)
  await expect.poll(() => echoed).toEqual(['done', 'lost'])
  await cluster.waitForIdle()
  expect(await reconcile(options, 0)).toBe(0)
  await cluster.db('media').run(sql`update outbox set created_at = created_at - interval '2 hours'`)
  await deleteOldRows(db!)
  expect(await cluster.db('media').rows(sql`select id from outbox`)).toEqual([])
})

test('a job with a defect becomes a dead letter after its number of tries with defects', async () => {
  const { ctx } = cluster.host.running[0]!
  const db = cluster.db('media')
  await db.tx((tx) => ctx.queue(tx, broken, {}))
  const letters = sql`select reason, tries from dead_letters where consumer = 'media_broken'`
  await expect.poll(() => db.rows(letters)).toEqual([{ reason: 'TypeError', tries: 2 }])
})
