/** Tasks: chunks with progress, one of a kind at a time, concurrent workers, pause, stop and failure. */
import { tasksOf } from '@murmuration/contracts/task'
import { sql } from '@murmuration/db'
import { type Cluster, startCluster, viewer } from '@murmuration/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type App, type BaseContext, handlersFor, service, startTask, taskHandlers, taskKind } from '../src/index.js'

const contracts = tasksOf('media')
const { handle, work, tick } = handlersFor<BaseContext>()

interface Input {
  chunks: number
  pauseMs?: number
}
let prepared = 0
let failures = 0
let isLost = false
const count = taskKind<BaseContext>()<Input, number>({
  name: 'count',
  permission: 'manage_federation',
  act: ({ chunks }) => ({ action: 'refresh_accounts', target: String(chunks) }),
  total: async (_ctx, { chunks }) => chunks * 10,
  prepare: () => (isLost ? new Promise<number>(() => {}) : Promise.resolve(++prepared)),
  async apply(_ctx, tx, { input, after }) {
    if (failures > 0) {
      failures--
      throw new Error('the store is away')
    }
    const n = Number(after || '0') + 1
    await tx.run(sql`insert into commands (key, answer) values (${`chunk ${n}`}, '')`)
    const pauseMs = input.pauseMs ?? 0
    return {
      next: n < input.chunks ? String(n) : null,
      seen: 10,
      changed: n,
      bytes: 100,
      notes: { odd: n % 2 },
      pauseMs,
    }
  },
})
const tasks = taskHandlers<BaseContext>(contracts, [count])

const app: App = {
  manifest: service('media', {
    operations: [
      handle(contracts.list, tasks.list),
      handle(contracts.show, tasks.show),
      handle(contracts.stop, tasks.stop),
    ],
    announces: [contracts.started, contracts.stopped],
    jobs: [work(contracts.run, tasks.run)],
    ticks: [tick('media.resume-tasks', 3_600_000, tasks.resume)],
    roles: { worker: { operations: true, ticks: true, jobs: [contracts.run], scales: 'tasks', needs: [] } },
  }),
  createContext: (base) => base,
}

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster({ apps: [app] })
})
afterAll(() => cluster.stop())
beforeEach(async () => {
  await cluster.db('media').run(sql`delete from commands`)
})

const ctx = () => cluster.host.running[0]!.ctx
const start = (input: Input, more: { dryRun?: boolean } = {}) =>
  startTask(ctx(), contracts, count, { by: null, input, dryRun: false, ...more })
const show = (id: string) => cluster.call(contracts.show, { id })
const chunks = async () =>
  (await cluster.db('media').rows<{ key: string }>(sql`select key from commands order by key`)).map((row) => row.key)
const stopped = async () =>
  (
    await cluster
      .db('media')
      .rows<{ data: string }>(sql`select data from outbox where subject like 'evt.%.task.stopped'`)
  ).map(({ data }) => JSON.parse(data))
const started = () => cluster.db('media').rows(sql`select 1 from outbox where subject like 'evt.%.task.started'`)

test('a task runs all chunks and sums their results; a dry run is not announced', async () => {
  const { id } = await start({ chunks: 3 }, { dryRun: true })
  await cluster.waitForIdle()
  const done = {
    kind: 'count',
    state: 'done',
    seen: 30,
    changed: 6,
    bytes: 300,
    total: 30,
    notes: { odd: 2 },
    error: null,
  }
  expect(await show(id)).toMatchObject({ ...done, dry_run: true })
  expect([await chunks(), await started()]).toEqual([['chunk 1', 'chunk 2', 'chunk 3'], []])
  await cluster.db('media').run(sql`delete from commands`)
  const second = await start({ chunks: 3 })
  await cluster.waitForIdle()
  expect(await show(second.id)).toMatchObject({ ...done, dry_run: false })
  expect(await started()).toHaveLength(1)
  const listed = await cluster.call(contracts.list, { limit: 1 })
  expect(listed.map((one) => one.id)).toEqual([second.id])
  await expect(show('1')).rejects.toMatchObject({ code: 'not_found' })
})

test('one task of a kind runs at a time, pauses between chunks if configured, and continues afterwards', async () => {
  const { id } = await start({ chunks: 2, pauseMs: 60_000 })
  await cluster.waitForIdle()
  expect(await show(id)).toMatchObject({ state: 'running', seen: 10 })
  await expect(start({ chunks: 1 })).rejects.toMatchObject({
    message: `Validation failed: Task count is already running with the id ${id}`,
  })
  await tasks.resume(ctx())
  await cluster.waitForIdle()
  expect(await show(id)).toMatchObject({ state: 'running', seen: 10 })
  ctx().clock.moveTo(61_000)
  await tasks.resume(ctx())
  await cluster.waitForIdle()
  expect(await show(id)).toMatchObject({ state: 'done', seen: 20 })
})

test('a worker that runs the same chunk at the same time has no effect', async () => {
  const { id } = await start({ chunks: 2, pauseMs: 60_000 })
  await cluster.waitForIdle()
  prepared = 0
  const meta = { id: '1', tries: 1 }
  await Promise.all([tasks.run(ctx(), { id }, meta), tasks.run(ctx(), { id }, meta), tasks.run(ctx(), { id }, meta)])
  expect(prepared).toBeGreaterThan(0)
  expect([await show(id), await chunks()]).toMatchObject([
    { state: 'done', seen: 20, changed: 3 },
    ['chunk 1', 'chunk 2'],
  ])
})

test('a task whose worker is lost continues after its last chunk', async () => {
  const { id } = await start({ chunks: 3, pauseMs: 1 })
  await cluster.waitForIdle()
  await cluster.db('media').run(sql`update tasks set next_at = now() + interval '1 hour' where id = ${id}`)
  for (const hours of [2, 3]) {
    ctx().clock.moveTo(hours * 3_600_000)
    await tasks.resume(ctx())
    await cluster.waitForIdle()
  }
  expect([await show(id), await chunks()]).toMatchObject([
    { state: 'done', seen: 30 },
    ['chunk 1', 'chunk 2', 'chunk 3'],
  ])
})

test('a failed chunk is retried; a task whose chunk fails six times fails with the reason', async () => {
  const { id } = await start({ chunks: 2, pauseMs: 60_000 })
  await cluster.waitForIdle()
  failures = 2
  await expect(tasks.run(ctx(), { id }, { id: '1', tries: 1 })).rejects.toThrow('the store is away')
  expect(await show(id)).toMatchObject({ state: 'running', seen: 10, error: 'the store is away' })
  await tasks.run(ctx(), { id }, { id: '1', tries: 6 })
  expect(await show(id)).toMatchObject({ state: 'failed', seen: 10, error: 'the store is away' })
})

test('a task whose worker is lost repeatedly in the same chunk fails, and a done chunk resets the count', async () => {
  const { id } = await start({ chunks: 4, pauseMs: 60_000 })
  await cluster.waitForIdle()
  const runs = async () =>
    (await cluster.db('media').row<{ runs: number }>(sql`select runs from tasks where id = ${id}`))?.runs
  const lose = async (count: number) => {
    isLost = true
    for (let n = 1; n <= count; n++) {
      void tasks.run(ctx(), { id }, { id: '1', tries: 1 })
      await expect.poll(runs).toBe(n)
    }
    isLost = false
  }
  await lose(11)
  await tasks.run(ctx(), { id }, { id: '1', tries: 1 })
  expect([await show(id), await runs()]).toMatchObject([{ state: 'running', seen: 20 }, 0])
  await lose(12)
  await tasks.run(ctx(), { id }, { id: '1', tries: 1 })
  const error = 'The workers of this chunk were lost 12 times'
  expect(await show(id)).toMatchObject({ state: 'failed', seen: 20, error })
  await tasks.run(ctx(), { id }, { id: '1', tries: 1 })
  expect(await show(id)).toMatchObject({ state: 'failed', seen: 20 })
})

test('a task is stopped after its chunk, by staff that may start it', async () => {
  const { id } = await start({ chunks: 2, pauseMs: 60_000 })
  await cluster.waitForIdle()
  await expect(cluster.call(contracts.stop, { id }, viewer('7', { permissions: 8 }))).rejects.toMatchObject({
    code: 'forbidden',
  })
  const stop = () => cluster.call(contracts.stop, { id }, viewer('7', { permissions: 32 }))
  const recorded = {
    ...{ by: '7', action: 'stop_task', targetId: id, target: 'count' },
    ...{ before: { state: 'running' }, after: { state: 'stopped', seen: 10, changed: 1 } },
  }
  expect(await stop()).toMatchObject({ state: 'stopped' })
  expect(await stopped()).toMatchObject([recorded])
  await tasks.run(ctx(), { id }, { id: '1', tries: 1 })
  expect(await show(id)).toMatchObject({ state: 'stopped', seen: 10 })
  // A stopped task is not stopped again.
  expect([await stop(), await stopped()]).toMatchObject([{ state: 'stopped' }, [recorded]])
})

test('a stopped dry run is not announced', async () => {
  const before = await stopped()
  const { id } = await start({ chunks: 2, pauseMs: 60_000 }, { dryRun: true })
  await cluster.waitForIdle()
  expect(await cluster.call(contracts.stop, { id })).toMatchObject({ state: 'stopped' })
  expect(await stopped()).toEqual(before)
})

test('a task of a kind that only a newer release knows waits, and does not fail', async () => {
  const id = ctx().ids.next()
  await cluster.db('media').run(sql`insert into tasks (id, kind, input, dry_run, next_at, created_at, updated_at)
    values (${id}, 'count_backwards', '{}', false, now(), now(), now())`)
  await expect(tasks.run(ctx(), { id }, { id: '1', tries: 1, free: () => undefined })).rejects.toThrow(
    'there is no task',
  )
  await tasks.run(ctx(), { id }, { id: '1', tries: contracts.run.retry.times, free: () => undefined })
  expect(await show(id)).toMatchObject({ kind: 'count_backwards', state: 'running', error: null })
  expect(await cluster.call(contracts.stop, { id }, viewer('1', { permissions: 1 }))).toMatchObject({
    state: 'stopped',
  })
})
