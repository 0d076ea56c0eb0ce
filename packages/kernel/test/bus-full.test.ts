/** A full bus: requests succeed, no event is lost, and the outbox is published when there is space. */
import { jetstreamManager, jobStream } from '@murmuration/bus'
import { event, internal, job, operation } from '@murmuration/contracts/kit'
import { sql } from '@murmuration/db'
import { type Cluster, startCluster } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { type App, type BaseContext, handlersFor, processOnce, service } from '../src/index.js'
import { deleteOldRows } from '../src/old-rows.js'
import { unsentRows } from '../src/outbox.js'
import { reconcile } from '../src/reconcile.js'

const long = 'x'.repeat(4_000)
const publishWords = operation('media.word.tell', {
  viewer: internal(),
  class: 'write',
  input: z.object({ words: z.array(z.string()), kind: z.enum(['event', 'job']), padding: z.string().default(long) }),
  output: z.object({ done: z.boolean() }),
  about: 'Says words.',
})
const announced = event('media.word.told', {
  data: z.object({ word: z.string(), padding: z.string() }),
  about: 'A word.',
})
const echo = job('media.echo', {
  data: z.object({ word: z.string(), padding: z.string() }),
  about: 'Echoes.',
  retry: { delays: [0.05], times: 2 },
})

const { handle, react, work } = handlersFor<BaseContext>()
const heard: string[] = []
const echoed = new Set<string>()
/** Pending while the bus fills up. */
let gate = Promise.resolve()
let open = () => {}
const close = () => {
  gate = new Promise((resolve) => {
    open = resolve
  })
}
const STAY = 'events stay in the outbox until the bus accepts them'

const app: App = {
  manifest: service('media', {
    operations: [
      handle(publishWords, (ctx, _viewer, { words, kind, padding }) =>
        ctx.db.tx(async (tx) => {
          const data = words.map((word) => ({ word, padding }))
          if (kind === 'event') await ctx.announce(tx, announced, ...data)
          else await ctx.queue(tx, echo, ...data)
          return { done: true }
        }),
      ),
    ],
    reactions: [
      react(announced, 'on-word-told', async (ctx, e) => {
        await gate
        await ctx.db.tx((tx) => processOnce(tx, e, async () => heard.push(e.word)))
      }),
    ],
    jobs: [
      work(echo, async (_ctx, { word }) => {
        await gate
        echoed.add(word)
      }),
    ],
    announces: [announced],
    roles: { api: { operations: true, reactions: true, ticks: true, jobs: [echo], scales: 'words', needs: [] } },
  }),
  createContext: (base) => base,
}

/** A stream of this size has space for about 250 long words. */
const STREAM_BYTES = 1_048_576
let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster({ apps: [app], env: { NATS_STREAM_BYTES: String(STREAM_BYTES) } })
})
afterAll(() => cluster.stop())

const words = (name: string) => Array.from({ length: 600 }, (_, n) => `${name}${n}`)
const outbox = async (where: 'unsent' | 'all') => {
  const [row] = await cluster
    .db('media')
    .rows<{ unsent: number; all: number }>(
      sql`select count(*) filter (where sent_at is null)::int as unsent, count(*)::int as all from outbox`,
    )
  return row?.[where]
}

/** Waits until the stream of jobs has no space for another long word. */
const untilFull = async () => {
  const jsm = await jetstreamManager(cluster.observer(), { checkAPI: false })
  const bytes = async () => (await jsm.streams.info(jobStream('media'))).state.bytes
  await expect.poll(bytes).toBeGreaterThan(STREAM_BYTES - 5_000)
}

test('F018 jobs stay in the outbox while the bus is full, requests succeed, and all jobs run later', async () => {
  close()
  const warn = vi.spyOn(cluster.host.running[0]!.ctx.log, 'warn')
  expect(await cluster.call(publishWords, { words: words('job'), kind: 'job' })).toEqual({ done: true })
  expect(await cluster.call(publishWords, { words: ['one more'], kind: 'job' })).toEqual({ done: true })
  await expect.poll(() => outbox('unsent')).toBeGreaterThan(0)
  open()
  await expect.poll(() => echoed.size).toBe(601)
  await expect.poll(() => outbox('unsent')).toBe(0)
  // Logged once a minute, independent of the number of refusals.
  const said = warn.mock.calls.filter(([, text]) => text === STAY)
  expect(said[0]).toMatchObject([{ error: { message: expect.stringMatching(/maximum/) } }, STAY])
  expect(said.length).toBeLessThan(3)
})

test('F018 refused jobs do not delay the sweep of later events', async () => {
  close()
  await cluster.call(publishWords, { words: words('long').slice(0, 300), kind: 'job' })
  // Otherwise short words could take the place of long ones, and more of them would be accepted.
  await untilFull()
  await cluster.call(publishWords, { words: words('short'), kind: 'job', padding: '' })
  // More jobs than one batch of the sweep wait for space in their stream.
  await expect.poll(() => outbox('unsent')).toBeGreaterThan(500)
  const data = JSON.stringify({ word: 'of an ended process', padding: '' })
  const [row] = await cluster.db('media').rows<{ id: string }>(
    sql`insert into outbox (id, subject, data, created_at)
        select max(id) + 1, ${announced.subject}, ${data}, now() - interval '1 minute' from outbox returning id`,
  )
  const isSent = sql`select 1 from outbox where id = ${row!.id} and sent_at is not null`
  await expect.poll(() => cluster.db('media').exists(isSent), { timeout: 15_000 }).toBe(true)
  expect(await outbox('unsent')).toBeGreaterThan(500)
  open()
  await expect.poll(() => echoed.size, { timeout: 60_000 }).toBe(1_501)
  await cluster.waitForIdle()
  heard.length = 0
})

test('F018 events are accepted by a full stream; the reconciler finds dropped ones, and each is handled once', async () => {
  close()
  await cluster.call(publishWords, { words: words('event'), kind: 'event' })
  await expect.poll(() => outbox('unsent')).toBe(0)
  open()
  await cluster.waitForIdle()
  expect(heard.length).toBeLessThan(600)
  const { ctx } = cluster.host.running[0]!
  const { nc, db, log } = ctx
  const options = { manifest: app.manifest, db: db!, nc, jsm: await jetstreamManager(nc, { checkAPI: false }), log }
  await expect
    .poll(async () => {
      await reconcile(options, 0)
      await cluster.waitForIdle()
      return heard.length
    })
    .toBe(600)
  expect(new Set(heard).size).toBe(600)
  // All events are handled, so none is sent again and the rows can be deleted. An event that was not checked stays.
  expect(await reconcile(options, 0)).toBe(0)
  const left = sql`insert into outbox (id, subject, data, sent_at) values (1, 'evt.media.word.other', '{}', now())`
  await cluster.db('media').run(left)
  await cluster.db('media').run(sql`update outbox set created_at = created_at - interval '2 hours'`)
  await deleteOldRows(db!)
  expect(await outbox('all')).toBe(1)
})

test('unsent events behind many unsent jobs are found with an index', async () => {
  const plan = await cluster.db('media').tx(async (tx) => {
    await tx.run(sql`insert into outbox (id, subject, data, created_at)
      select n, case when n % 1000 = 0 then ${announced.subject} else ${echo.subject} end, '{}', now()
      from generate_series(10, 20000) n`)
    await tx.run(sql`analyze outbox`)
    const rows = await tx.rows(sql`explain ${unsentRows('evt')}`)
    // These rows are never published.
    await tx.run(sql`delete from outbox where id < 30000`)
    return JSON.stringify(rows)
  })
  expect(plan).toContain('Index Scan using outbox_unsent_kind')
  expect(plan).not.toMatch(/Sort|Filter: .*left/)
})
