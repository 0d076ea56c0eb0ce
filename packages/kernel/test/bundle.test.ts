/** Event batches: simultaneous events are sent in one message, each is handled once, and a failing one does not affect others. */
import { eventStream, jetstreamManager } from '@murmuration/bus'
import { event, internal, job, operation } from '@murmuration/contracts/kit'
import { sql } from '@murmuration/db'
import { startCluster } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type App, type BaseContext, handlersFor, PermanentError, processOnce, service } from '../src/index.js'

const sayAll = operation('media.word.say-all', {
  viewer: internal(),
  class: 'write',
  input: z.object({ words: z.array(z.string()) }),
  output: z.object({ ids: z.array(z.string()) }),
  about: 'Says words in one breath.',
})
const said = event('media.word.said', { data: z.object({ word: z.string() }), about: 'A word was said.' })
const echo = job('media.echo', { data: z.object({ word: z.string() }), about: 'Echoes.' })

const { handle, react, work } = handlersFor<BaseContext>()
const heard: string[] = []
const tried = new Map<string, number>()
const app: App = {
  manifest: service('media', {
    operations: [
      handle(sayAll, (ctx, _viewer, { words }) =>
        ctx.db.tx(async (tx) => {
          await ctx.announce(tx, said, ...words.map((word) => ({ word })))
          return { ids: [] }
        }),
      ),
    ],
    reactions: [
      react(said, 'on-word-said', async (ctx, e) => {
        const times = (tried.get(e.word) ?? 0) + 1
        tried.set(e.word, times)
        if (e.word === 'poison') throw new PermanentError('poison')
        if (e.word === 'later' && times === 1) throw new Error('not yet')
        await ctx.db.tx((tx) => processOnce(tx, e, async () => heard.push(e.word)))
      }),
    ],
    jobs: [work(echo, async () => undefined)],
    announces: [said],
    roles: { api: { operations: true, reactions: true, ticks: true, jobs: [echo], scales: 'words', needs: [] } },
  }),
  createContext: (base) => base,
}

let cluster: Awaited<ReturnType<typeof startCluster>>
beforeAll(async () => {
  cluster = await startCluster({ apps: [app] })
  // Waits for the stream, because events sent before it exists are sent again separately.
  await cluster.waitForIdle()
})
afterAll(() => cluster.stop())

const messages = async (): Promise<number> => {
  const [media] = cluster.host.running
  if (!media) throw new Error('media does not run')
  return (await (await jetstreamManager(media.ctx.nc)).streams.info(eventStream('media'))).state.last_seq
}

test('many simultaneous events take few messages, and each is handled once', async () => {
  const words = Array.from({ length: 60 }, (_, n) => `word ${n}\nof many`)
  const before = await messages()
  await cluster.call(sayAll, { words })
  await cluster.waitForIdle()
  expect(heard.toSorted()).toEqual(words.toSorted())
  expect((await messages()) - before).toBe(3)
})

test('events of a batch that are sent again one by one have no second effect', async () => {
  const before = heard.length
  await cluster
    .db('media')
    .run(sql`update outbox set sent_at = null, created_at = created_at - interval '1 minute' where sent_at is not null`)
  await cluster.waitForIdle()
  expect(heard).toHaveLength(before)
})

test('the other events of a message with a failing one are handled once, and the failed one is redelivered alone', async () => {
  heard.length = 0
  tried.clear()
  await cluster.call(sayAll, { words: ['before', 'poison', 'later', 'after'] })
  await expect.poll(() => heard.toSorted()).toEqual(['after', 'before', 'later'])
  await cluster.waitForIdle()
  expect(Object.fromEntries(tried)).toMatchObject({ before: 1, after: 1, later: 2 })
  const letters = await cluster
    .db('media')
    .rows<{ reason: string; data: string; subject: string }>(sql`select reason, data, subject from dead_letters`)
  expect(letters).toEqual([{ reason: 'poison', data: '{"word":"poison"}', subject: said.subject }])
})

test('a long event is sent alone', async () => {
  heard.length = 0
  const before = await messages()
  await cluster.call(sayAll, { words: ['short', 'x'.repeat(250_000), 'brief'] })
  await cluster.waitForIdle()
  expect(heard).toHaveLength(3)
  expect((await messages()) - before).toBe(3)
})
