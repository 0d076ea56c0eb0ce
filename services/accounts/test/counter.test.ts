/** Tests of the count of statuses: direct ones do not count, and repeated events count once. */
import { createAccountByOperator, showAccount } from '@murmuration/contracts/accounts'
import { internal, operation } from '@murmuration/contracts/kit'
import { statusCreated, statusDeleted } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { type App, type BaseContext, handlersFor, idFloor, service } from '@murmuration/kernel'
import { type Cluster, startCluster } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { app } from '../src/main.js'

const tell = operation('statuses.test.tell', {
  viewer: internal(),
  input: z.object({ what: z.enum(['created', 'deleted']), id: z.string(), author: z.string(), visibility: z.string() }),
  output: z.object({}),
  about: 'Announces what a test says.',
})
const { handle } = handlersFor<BaseContext>()
const statuses: App = {
  manifest: service('statuses', {
    operations: [
      handle(tell, async (ctx, _viewer, { what, id, author, visibility }) => {
        const base = {
          id,
          author,
          local: true,
          visibility: visibility as 'public',
          reblogOf: null,
          reblogOfAuthor: null,
          reblogOfLocal: false,
          uri: `https://here.example/${id}`,
          inReplyTo: null,
          mentions: [],
          tags: [],
          hasMedia: false,
        }
        await ctx.db.tx((tx) =>
          what === 'created'
            ? ctx.announce(tx, statusCreated, {
                ...base,
                inReplyToAuthor: null,
                conversation: '1',
                language: null,
                push: true,
              })
            : ctx.announce(tx, statusDeleted, { ...base, createdAt: '2026-01-02T03:04:05.678Z' }),
        )
        return {}
      }),
    ],
    announces: [statusCreated, statusDeleted],
    roles: { api: { operations: true, ticks: true, scales: '', needs: [] } },
  }),
  createContext: (base) => base,
}

let cluster: Cluster
let author: string
beforeAll(async () => {
  cluster = await startCluster({ apps: [app, statuses] })
  author = (
    await cluster.call(createAccountByOperator, { username: 'alice', email: 'a@mail.example', confirmed: true })
  ).id
})
afterAll(() => cluster.stop())

const on = (day: string, n: number): string => String(BigInt(idFloor(Date.parse(day))) + BigInt(n))
const countStatus = async (what: 'created' | 'deleted', id: string, visibility = 'public') => {
  await cluster.call(tell, { what, id, author, visibility })
}
const shown = async () => {
  await cluster.waitForIdle()
  const { statuses_count, last_status_at } = await cluster.call(showAccount, { id: author })
  return [statuses_count, last_status_at]
}

test('public and private statuses count, direct ones do not', async () => {
  await countStatus('created', on('2026-03-04', 1))
  await countStatus('created', on('2026-03-05', 2), 'private')
  await countStatus('created', on('2026-03-06', 3), 'direct')
  expect(await shown()).toEqual([2, '2026-03-05'])
})

test('an older status does not change the date of the last status', async () => {
  await countStatus('created', on('2025-01-01', 4))
  expect(await shown()).toEqual([3, '2026-03-05'])
})

test('a repeated event counts once', async () => {
  await cluster
    .db('statuses')
    .run(sql`update outbox set sent_at = null, replays = replays + 1, created_at = created_at - interval '1 minute'`)
  expect(await shown()).toEqual([3, '2026-03-05'])
})

test('deleted statuses stop counting, and the number is never below zero, whatever the order of events', async () => {
  await countStatus('deleted', on('2026-03-06', 3), 'direct')
  await countStatus('deleted', on('2026-03-04', 1))
  await countStatus('deleted', on('2026-03-05', 2), 'private')
  await countStatus('deleted', on('2025-01-01', 4))
  await countStatus('deleted', on('2026-04-01', 5))
  expect((await shown())[0]).toBe(0)
  await countStatus('created', on('2026-04-01', 5))
  await countStatus('created', on('2026-04-02', 6))
  expect(await shown()).toEqual([1, '2026-04-02'])
})
