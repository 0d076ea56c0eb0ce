/** The kernel on real stores: calls, events, reactions, dead letters, replay, and a bus that lost its data. */
import { event, fail, internal, job, operation } from '@murmuration/contracts/kit'
import { sql } from '@murmuration/db'
import { startCluster } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type App, type BaseContext, handlersFor, PermanentError, processOnce, service } from '../src/index.js'

const say = operation('media.word.say', {
  viewer: internal(),
  class: 'write',
  input: z.object({ word: z.string() }),
  output: z.object({ id: z.string() }),
  about: 'Says a word.',
})
const list = operation('media.word.list', {
  viewer: internal(),
  large: true,
  input: z.object({ size: z.int() }),
  output: z.object({ text: z.string() }),
  about: 'A long answer.',
})
const said = event('media.word.said', { data: z.object({ word: z.string() }), about: 'A word was said.' })
const echo = job('media.echo', {
  data: z.object({ word: z.string() }),
  about: 'Echoes.',
  retry: { delays: [0.05], times: 2 },
})

const { handle, react, work } = handlersFor<BaseContext>()
const heard: string[] = []
const triedAt: number[] = []
const app: App = {
  manifest: service('media', {
    operations: [
      handle(say, (ctx, _viewer, { word }) =>
        ctx.db.tx(async (tx) => {
          if (word === 'bad') throw fail('unprocessable', 'Not this word')
          await ctx.announce(tx, said, { word })
          await ctx.queue(tx, echo, { word })
          return { id: ctx.ids.next() }
        }),
      ),
      handle(list, async (_ctx, _viewer, { size }) => ({ text: 'x'.repeat(size) })),
    ],
    reactions: [
      react(said, 'on-word-said', async (ctx, e) => {
        await ctx.db.tx((tx) => processOnce(tx, e, async () => heard.push(e.word)))
      }),
    ],
    jobs: [
      work(echo, async (_ctx, { word }) => {
        if (word === 'poison') throw new PermanentError('poison')
        if (word === 'later') {
          triedAt.push(performance.now())
          if (triedAt.length === 1) throw fail('unavailable', 'Not yet', { retryAfter: 1 })
        }
      }),
    ],
    announces: [said],
    roles: { api: { operations: true, reactions: true, ticks: true, jobs: [echo], scales: 'words', needs: [] } },
  }),
  createContext: (base) => base,
}

let cluster: Awaited<ReturnType<typeof startCluster>>
beforeAll(async () => {
  cluster = await startCluster({ apps: [app] })
})
afterAll(() => cluster.stop())

test('an announced event is handled by its reaction once', async () => {
  await cluster.call(say, { word: 'hello' })
  await cluster.waitForIdle()
  expect(heard).toEqual(['hello'])
})

test('F023 an event sent again with a new message id has no second effect', async () => {
  await cluster
    .db('media')
    .run(sql`update outbox set sent_at = null, replays = replays + 1, created_at = created_at - interval '1 minute'`)
  await cluster.waitForIdle()
  expect(heard).toEqual(['hello'])
})

test('a refusal keeps its code and text across the bus', async () => {
  await expect(cluster.call(say, { word: 'bad' })).rejects.toMatchObject({
    code: 'unprocessable',
    message: 'Not this word',
  })
})

test('F021 a response above the bus limit is sent in parts', async () => {
  const { text } = await cluster.call(list, { size: 2_500_000 })
  expect(text.length).toBe(2_500_000)
})

test('F026 a job that always fails is a dead letter at once and does not block the queue', async () => {
  await cluster.call(say, { word: 'poison' })
  await cluster.call(say, { word: 'after' })
  await cluster.waitForIdle()
  expect(heard.toSorted()).toEqual(['after', 'hello', 'poison'])
  const letters = await cluster.db('media').rows<{ reason: string }>(sql`select reason from dead_letters`)
  expect(letters).toEqual([{ reason: 'poison' }])
})

test('an invalid time or id of an operator is refused', async () => {
  const replay = operation('media.ops.event-replay', {
    viewer: internal(),
    input: z.record(z.string(), z.unknown()),
    output: z.unknown(),
    about: 'Operators.',
  })
  const refusal = (text: string) => ({ code: 'unprocessable', message: expect.stringContaining(text) })
  await expect(cluster.call(replay, { from: 'some day' })).rejects.toMatchObject(refusal('From is not a time'))
  await expect(cluster.call(replay, { from: '2026-11-23', to: 'x' })).rejects.toMatchObject(refusal('To is not a time'))
  await expect(cluster.call(replay, { ids: ['all'] })).rejects.toMatchObject(refusal('Id is not a number'))
  expect(await cluster.call(replay, { from: '2001-01-01', to: '2001-01-02T10:00:00Z', ids: ['1'] })).toEqual({
    replayed: 0,
  })
})

test('a job that requests a later try is not tried before', async () => {
  await cluster.call(say, { word: 'later' })
  await cluster.waitForIdle()
  expect(triedAt).toHaveLength(2)
  expect(triedAt[1]! - triedAt[0]!).toBeGreaterThan(850)
})

test('a bus that lost its data recovers, and no announced event is lost', async () => {
  await cluster.nats.kill({ wipe: true })
  await cluster
    .db('media')
    .run(
      sql`insert into outbox (id, subject, data, created_at) values (${'77'}, ${said.subject}, ${'{"word":"left behind"}'}, now() - interval '3 seconds')`,
    )
  await cluster.nats.start()
  await expect.poll(() => heard).toContain('left behind')
})

test('an event that was stored while the clock of the database was ahead is swept', async () => {
  await cluster
    .db('media')
    .run(
      sql`insert into outbox (id, subject, data, created_at) values (${'79'}, ${said.subject}, ${'{"word":"from tomorrow"}'}, now() + interval '1 day')`,
    )
  await expect.poll(() => heard).toContain('from tomorrow')
})

test('D-10 a service may publish only subjects of its manifest', async () => {
  const denied = new Promise((resolve) => {
    const nc = cluster.host.running[0]?.ctx.nc
    const watch = async () => {
      if (nc)
        for await (const status of nc.status())
          if (status.type === 'error') resolve(String('error' in status ? status.error : ''))
    }
    watch()
    nc?.publish('evt.accounts.account.created', '{}')
  })
  expect(await denied).toMatch(/permissions violation/i)
})

test('F017 an event that the bus lost after accepting it is sent again', async () => {
  await cluster
    .db('media')
    .run(
      sql`insert into outbox (id, subject, data, sent_at) values (${'78'}, ${said.subject}, ${'{"word":"was in the stream"}'}, now())`,
    )
  await cluster.nats.kill({ wipe: true })
  await cluster.nats.start()
  await expect.poll(() => heard).toContain('was in the stream')
  expect(heard.filter((word) => word === 'hello')).toHaveLength(1)
})
