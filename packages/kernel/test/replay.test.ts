/** Replay of dead letters: jobs are queued again, and events are handled again. */
import { setTimeout as pause } from 'node:timers/promises'
import { KERNEL } from '@murmuration/contracts/kernel'
import { event, job } from '@murmuration/contracts/kit'
import { sql } from '@murmuration/db'
import { type Cluster, startCluster } from '@murmuration/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { type App, type BaseContext, handlersFor, PermanentError, remainingMs, service } from '../src/index.js'
import { replayLetters, type StoredLetter } from '../src/replay.js'
import { ownRequest, within } from '../src/request.js'

const data = z.object({ word: z.string() })
const send = job('media.send', { data, about: 'Sends a word.', timeoutMs: 600_000 })
const print = job('media.print', { data, about: 'Prints a word. No role of this process serves its queue.' })
const said = event('media.word.said', { data, about: 'A word was said.' })
const { react, work } = handlersFor<BaseContext>()

let ran: string[] = []
let budgets: number[] = []
let release: () => void = () => undefined
let waiting: Promise<void> = Promise.resolve()
const app: App = {
  manifest: service('media', {
    announces: [said],
    reactions: [
      react(said, 'on-said', async (_ctx, { word }) => {
        budgets.push(remainingMs() ?? 0)
        ran.push(word)
        await waiting
      }),
    ],
    jobs: [
      work(send, async (_ctx, { word }) => {
        budgets.push(remainingMs() ?? 0)
        ran.push(word)
        await waiting
        if (word === 'broken') throw new PermanentError('broken')
      }),
      work(print, async () => undefined),
    ],
    roles: { worker: { operations: true, reactions: true, ticks: true, jobs: [send], scales: 'words', needs: [] } },
  }),
  createContext: (base) => base,
}

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster({ apps: [app] })
})
afterAll(() => cluster.stop())
beforeEach(async () => {
  ran = []
  budgets = []
  waiting = Promise.resolve()
  await db().run(sql`delete from dead_letters`)
})

const db = () => cluster.db('media')
const letter = (id: string, word: string, consumer = 'media_send') =>
  db().run(sql`insert into dead_letters (id, consumer, subject, message_id, data, reason, tries)
    values (${id}, ${consumer}, 'job.media.x', ${`9${id}`}, ${JSON.stringify({ word })}, 'timeout', 6)`)
const replay = (...ids: string[]) => cluster.call(KERNEL.media.replayDeadLetters, { ids })
const left = async () =>
  (await db().rows<{ data: string }>(sql`select data from dead_letters order by id`)).map(
    (row) => JSON.parse(row.data).word,
  )

test('a replayed job has its own time limit, and a job that fails again is reported', async () => {
  await letter('1', 'good')
  await letter('2', 'broken')
  expect(await replay('1', '2')).toEqual({ replayed: ['1'], queued: [], failed: ['2'] })
  expect(ran.toSorted()).toEqual(['broken', 'good'])
  expect(Math.min(...budgets)).toBeGreaterThan(500_000)
  expect(await left()).toEqual(['broken'])
})

test('two replays of a dead letter run its job once', async () => {
  await letter('3', 'once')
  waiting = new Promise((resolve) => {
    release = resolve
  })
  const both = Promise.all([replay('3'), replay('3')])
  await expect.poll(() => ran).toEqual(['once'])
  expect(await left()).toEqual([])
  release()
  const results = await both
  expect(results.flatMap((one) => one.failed)).toEqual([])
  await cluster.waitForIdle()
  expect(ran).toEqual(['once'])
})

test('a job that has not ended is reported as queued, and its earlier message does not run', async () => {
  await letter('4', 'waits', 'media_print')
  expect(await replay('4')).toEqual({ replayed: ['4'], queued: ['4'], failed: [] })
  expect(await left()).toEqual([])
  const queued = sql`select data from outbox where subject = ${print.subject}`
  expect(await db().rows(queued)).toEqual([{ data: '{"word":"waits"}' }])
  expect(await db().rows(sql`select 1 from consumed where consumer = 'media_print' and event_id = 94`)).toHaveLength(1)
})

test('an event is handled again in this process with its own time limit, and an unknown consumer fails', async () => {
  await letter('5', 'event', 'media_on-said')
  await letter('6', 'lost', 'media_unknown')
  await letter('7', 'unreadable')
  await db().run(sql`update dead_letters set data = '{"other":1}' where id = 7`)
  const result = await replay('5', '6', '7')
  expect({ ...result, failed: result.failed.toSorted() }).toEqual({ replayed: ['5'], queued: [], failed: ['6', '7'] })
  expect(ran).toEqual(['event'])
  expect(budgets[0]).toBeGreaterThan(15_000)
  expect(await db().rows(sql`select id from dead_letters order by id`)).toEqual([{ id: '6' }, { id: '7' }])
})

test('an event that has not ended is reported as queued together with a job, and deletes its dead letter when it ends', async () => {
  await letter('10', 'slow', 'media_on-said')
  await letter('11', 'waits', 'media_print')
  waiting = new Promise((resolve) => {
    release = resolve
  })
  const result = await replay('10', '11')
  expect({ ...result, queued: result.queued?.toSorted() }).toEqual({
    replayed: ['10', '11'],
    queued: ['10', '11'],
    failed: [],
  })
  expect(ran).toEqual(['slow'])
  expect(await left()).toEqual(['slow'])
  release()
  await expect.poll(left).toEqual([])
})

test('a dead letter of a job that is dropped during its replay is in no list', async () => {
  await letter('12', 'dropped')
  await letter('13', 'good')
  const own = db()
  const letters = await own.rows<StoredLetter>(sql`select id, consumer, message_id, data from dead_letters order by id`)
  await own.run(sql`delete from dead_letters where id = 12`)
  const jobOf = () => ({ job: print, data: { word: 'x' } })
  const options = {
    db: own,
    clock: { sleep: (ms: number) => pause(ms) },
    outbox: { queueOne: () => '1' },
    jobOf,
    redo: async () => undefined,
  }
  const outcome = await within(ownRequest(3_500), () => replayLetters(options, letters))
  expect(outcome).toEqual({ replayed: ['13'], queued: ['13'], failed: [] })
})
