/** Writes of a suspended process that would commit after it continues. */
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { connectBus, type NatsConnection } from '@murmuration/bus'
import { type Database, openDatabase, sql } from '@murmuration/db'
import { SOURCE_ARGS, startNats, type TestNats } from '@murmuration/testkit'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createSendRequest } from '../src/index.js'
import { writeOf } from './write.js'

const databaseUrl = process.env.DATABASE_URL ?? ''
let nats: TestNats
let caller: NatsConnection
let db: Database
const children = new Set<ChildProcess>()
beforeAll(async () => {
  nats = await startNats()
  caller = await connectBus({ url: nats.url, service: 'caller', name: 'caller', password: null })
  db = openDatabase({ url: databaseUrl, schema: 'public', connections: 2 })
  await db.run(sql`drop table if exists words`)
  await db.run(sql`create table words (word text not null)`)
})
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  children.clear()
})
afterAll(async () => {
  await db.run(sql`drop table words`)
  await db.close()
  await caller.close()
  await nats.stop()
})

/** Starts a process that stores words. */
const start = async (service: string) => {
  const file = fileURLToPath(new URL('./commit-responder.ts', import.meta.url))
  const child = spawn(process.execPath, [...SOURCE_ARGS, file, nats.url, service, databaseUrl], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.add(child)
  const lines = new Set<string>()
  child.stdout?.on('data', (text) => {
    for (const line of String(text).split('\n')) lines.add(line)
  })
  await expect.poll(() => lines.has('ready')).toBe(true)
  return { child, has: (word: string) => lines.has(word) }
}
const write = (service: string, word: string) => {
  const envelope = {
    remainingMs: 30_000,
    caller: null,
    requestId: word,
    commandId: null,
    idempotencyKey: null,
    locale: '',
    traceparent: '',
  }
  return createSendRequest(caller)(writeOf(service), JSON.stringify({ word }), envelope).then(
    ({ meta }) => meta.status,
    (error) => error.status as number,
  )
}
const countOf = async (word: string) =>
  (await db.row<{ n: number }>(sql`select count(*)::int as n from words where word = ${word}`))?.n
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
/** Suspends the process that stored the word, before its commit. */
const stopHolder = async (word: string, processes: readonly Awaited<ReturnType<typeof start>>[]) => {
  const holder = () => processes.find((one) => one.has(word))
  await expect.poll(() => holder() !== undefined, { interval: 10 }).toBe(true)
  holder()?.child.kill('SIGSTOP')
  return holder()?.child
}

test('a write whose failure was reported while its process was suspended is not committed later', async () => {
  const processes = [await start('pair'), await start('pair')]
  const outcome = write('pair', 'late')
  const child = await stopHolder('late', processes)
  expect(await outcome).toBe(503)
  child?.kill('SIGCONT')
  await pause(1_500)
  expect(await countOf('late')).toBe(0)
  // The process handles new writes.
  expect(await write('pair', 'new')).toBe(200)
  expect(await countOf('new')).toBe(1)
})

test('a write that waits for the only process is repeated by its caller, and committed once', async () => {
  const processes = [await start('lone')]
  const outcome = write('lone', 'waiting')
  const child = await stopHolder('waiting', processes)
  await pause(4_000)
  child?.kill('SIGCONT')
  expect(await outcome).toBe(200)
  expect(await countOf('waiting')).toBe(1)
})

test('a write with a committed part is finished, because a repetition would do that part again', async () => {
  const processes = [await start('parts')]
  const outcome = write('parts', 'twice')
  const child = await stopHolder('twice', processes)
  await pause(4_000)
  child?.kill('SIGCONT')
  expect(await outcome).toBe(200)
  expect([await countOf('first twice'), await countOf('twice')]).toEqual([1, 1])
})
