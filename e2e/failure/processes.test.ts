/** Processes that freeze, stop, block and start in any order under load: others take over, and nothing is lost. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Product } from '@murmuration/testkit'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createUser, postAs, requestAs, startWhole, type TestUser } from '../product.js'

/** Services by process. Accounts and statuses run in two processes each. */
const TABLE = {
  edge: ['gateway', 'streaming'],
  accounts1: ['accounts', 'admin'],
  accounts2: ['accounts', 'media'],
  statuses1: ['statuses'],
  statuses2: ['statuses:api', 'notifications'],
  federation: ['federation'],
}
/** A module that every process loads: SIGUSR2 blocks its event loop for three seconds. */
const stumble = `data:text/javascript,${encodeURIComponent(`
  process.on('SIGUSR2', () => { const end = Date.now() + 3000; while (Date.now() < end); })
  process.on('SIGWINCH', () => setTimeout(() => Promise.reject(new Error('stray')), 1))
`)}`

let product: Product
let alice: TestUser
beforeAll(async () => {
  product = await startWhole({
    table: TABLE,
    revive: true,
    env: { NODE_OPTIONS: `--import=${stumble}` },
  })
  alice = await createUser(product, 'alice')
  await product.waitForIdle()
})
afterAll(() => product?.stop())

const sendRequest = (path: string, who = alice) => requestAs(product, who, path)
const post = (text: string, key?: string) => postAs(product, alice, { status: text }, key)
const signal = (name: string, what: NodeJS.Signals) => process.kill(product.processes.get(name)?.pid ?? 0, what)
/** Limits the number of open files and connections of a running process (`prlimit` of util-linux). */
const allowFiles = (pid: number | undefined, max: number) =>
  promisify(execFile)('prlimit', ['--pid', String(pid), `--nofile=${max}:`])
const health = async (name: string, path: string) =>
  (await fetch(`http://127.0.0.1:${product.processes.get(name)?.healthPort}${path}`).catch(() => null))?.status

/** Stop functions of running loads. All are called after each test, so that a failed test does not disturb the next one. */
const underWay = new Set<() => Promise<unknown>>()
afterEach(async () => {
  for (const name of Object.keys(TABLE)) if (product.processes.has(name)) signal(name, 'SIGCONT')
  await Promise.all([...underWay].map((stop) => stop()))
})

/**
 * Sends reads, and with `writing` also posts, until the returned function is called. That returns the statuses and durations of
 * the reads, the statuses of the posts, and the ids of the posts.
 */
const atWork = (who: readonly TestUser[] = Array(4).fill(alice), writing = true) => {
  let going = true
  const reads: number[] = []
  /** Duration of each read in milliseconds. */
  const times: number[] = []
  const writes = new Map<string, number>()
  const ids: string[] = []
  const one = async (user: TestUser, n: number) => {
    while (going) {
      const began = performance.now()
      reads.push((await sendRequest('/api/v1/accounts/verify_credentials', user)).status)
      times.push(performance.now() - began)
      if (writing) {
        const text = `at work ${n} ${randomUUID()}`
        const answer = await postAs(product, user, { status: text })
        writes.set(text, answer.status)
        if (answer.status === 200) ids.push(((await answer.json()) as { id: string }).id)
      }
      await pause(50)
    }
  }
  const all = Promise.all(who.map(one))
  const stop = async () => {
    going = false
    underWay.delete(stop)
    await all
    return { reads, times, writes: [...writes.values()], ids }
  }
  underWay.add(stop)
  return stop
}
const refusals = (statuses: readonly number[]): number[] => statuses.filter((one) => one !== 200)
const allThere = async (ids: readonly string[]) => {
  for (let at = 0; at < ids.length; at += 20) {
    const some = ids.slice(at, at + 20)
    const found = (await (
      await sendRequest(`/api/v1/statuses?${some.map((id) => `id[]=${id}`).join('&')}`)
    ).json()) as unknown[]
    expect(found).toHaveLength(some.length)
  }
}

/** Number of requests that a process served since its start. */
const answered = async (name: string, service: string): Promise<number> => {
  const metrics = await (await fetch(`http://127.0.0.1:${product.processes.get(name)?.healthPort}/metrics`)).text()
  const counts = metrics.matchAll(new RegExp(`^murmuration_rpc_seconds_count{service="${service}",.*} (\\d+)$`, 'gm'))
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
}

test('F013 a process that is frozen delays the requests it has, every read is answered, and it gets no more requests', async () => {
  // Each reader has its own token, because requests with the same token share one lookup.
  const readers = await Promise.all(Array.from({ length: 12 }, (_, n) => createUser(product, `reader${n}`)))
  await product.waitForIdle()
  const before = [await answered('accounts1', 'accounts'), await answered('accounts2', 'accounts')] as const
  signal('accounts2', 'SIGSTOP')
  const stopReading = atWork(readers, false)
  const stop = atWork()
  await pause(12_000)
  const [{ reads, times }, frozen] = await Promise.all([stopReading(), stop()])
  expect(refusals([...reads, ...frozen.reads])).toEqual([])
  expect(frozen.writes.filter((one) => ![200, 503].includes(one))).toEqual([])
  expect(reads.length).toBeGreaterThanOrEqual(24)
  // One second until a request is repeated, plus delays of a busy machine. The deadline is five seconds.
  expect(Math.max(...times, ...frozen.times)).toBeLessThan(4_500)
  signal('accounts2', 'SIGCONT')
  await product.ready()
  await product.waitForIdle()
  const after = [await answered('accounts1', 'accounts'), await answered('accounts2', 'accounts')] as const
  // Without avoidance, the frozen process would get half of all requests. It only gets those sent before callers noticed.
  expect(after[1] - before[1]).toBeLessThan((after[0] - before[0]) / 3)
  const again = atWork()
  await pause(2_000)
  const thawed = await again()
  expect([refusals(thawed.reads), refusals(thawed.writes)]).toEqual([[], []])
  await allThere([...frozen.ids, ...thawed.ids])
})

test('a process is killed while it handles requests: another one serves its reads, and its writes fail soon', async () => {
  await product.restart('statuses2', { FAULT_POINTS: 'statuses.beforeReply=sleep:300000' })
  const timed = async (response: Promise<Response>) => {
    const { status, headers } = await response
    return { status, retryAfter: Number(headers.get('retry-after')), at: performance.now() }
  }
  const reads = Array.from({ length: 8 }, () => timed(sendRequest('/api/v1/timelines/home')))
  const writes = Array.from({ length: 8 }, (_, n) => timed(post(`while it is killed ${n}`)))
  await pause(1_000)
  const killedAt = performance.now()
  await product.processes.get('statuses2')?.kill('SIGKILL')
  for (const { status } of await Promise.all(reads)) expect([200, 206]).toContain(status)
  const outcomes = await Promise.all(writes)
  expect(outcomes.map(({ status }) => status).filter((one) => ![200, 503].includes(one))).toEqual([])
  const failed = outcomes.filter(({ status }) => status === 503)
  expect(failed.length).toBeGreaterThan(0)
  for (const { retryAfter, at } of failed) {
    expect(retryAfter).toBeGreaterThan(0)
    // The deadline of a write is ten seconds.
    expect(at - killedAt).toBeLessThan(6_000)
  }
  await product.ready()
  await product.waitForIdle()
})

test('a frozen process does not execute writes whose deadline is over when it continues', async () => {
  // Callers that avoided the process after an earlier test send requests to it again.
  const before = await answered('statuses2', 'statuses')
  const isAsked = async () => {
    await Promise.all(Array.from({ length: 4 }, () => sendRequest('/api/v1/timelines/home')))
    return answered('statuses2', 'statuses')
  }
  await expect.poll(isAsked).toBeGreaterThan(before)
  signal('statuses2', 'SIGSTOP')
  const frozenAt = performance.now()
  const texts = Array.from({ length: 10 }, () => `too late ${randomUUID()}`)
  const outcomes = await Promise.all(texts.map(async (text) => ({ text, status: (await post(text)).status })))
  const failed = outcomes.filter(({ status }) => status !== 200)
  expect(failed.length).toBeGreaterThan(0)
  await pause(Math.max(0, 12_000 - (performance.now() - frozenAt)))
  signal('statuses2', 'SIGCONT')
  await product.ready()
  await product.waitForIdle()
  const page = (await (await sendRequest(`/api/v1/accounts/${alice.id}/statuses?limit=40`)).text()) as string
  for (const { text, status } of outcomes) expect([status, page.includes(text)]).toEqual([status, status === 200])
})

test('F084 a process whose event loop is blocked for three seconds is avoided, and not restarted', async () => {
  const { pid } = product.processes.get('accounts1') ?? {}
  const stop = atWork()
  await pause(500)
  signal('accounts1', 'SIGUSR2')
  await pause(4_000)
  const { reads, ids } = await stop()
  expect(refusals(reads)).toEqual([])
  await allThere(ids)
  expect([await health('accounts1', '/livez'), product.processes.get('accounts1')?.pid]).toEqual([200, pid])
  expect(
    await (await fetch(`http://127.0.0.1:${product.processes.get('accounts1')?.healthPort}/metrics`)).text(),
  ).toMatch(/murmuration_.*lag/)
})

test('F079 no request fails while the processes are replaced one after the other', async () => {
  const stop = atWork([alice, alice])
  for (const name of ['accounts1', 'statuses1', 'accounts2', 'statuses2', 'federation'])
    await product.restart(name, {}, 'SIGTERM')
  const { reads, writes, ids } = await stop()
  expect([refusals(reads), refusals(writes)]).toEqual([[], []])
  expect(ids.length).toBeGreaterThan(2)
  await product.waitForIdle()
  await allThere(ids)
})

test('F080 a process with a hanging handler stops within its grace period, and other processes serve its requests', async () => {
  await product.restart('statuses2', { FAULT_POINTS: 'statuses.beforeReply=sleep:300000@1' })
  const key = randomUUID()
  const hanging = Array.from({ length: 6 }, () => sendRequest('/api/v1/timelines/home'))
  const hung = product.processes.get('statuses2')
  await pause(500)
  const started = performance.now()
  await hung?.kill('SIGTERM')
  // The grace period of 25 seconds, plus delays of a busy machine.
  expect(performance.now() - started).toBeLessThan(40_000)
  // 206: the home feed is still being rebuilt.
  for (const answer of await Promise.all(hanging)) expect([200, 206]).toContain(answer.status)
  await product.ready()
  expect((await post('after the grace', key)).status).toBe(200)
})

test('F087 an unhandled rejection stops the process in order, and it is restarted', async () => {
  const old = product.processes.get('federation')
  const stop = atWork([alice, alice])
  signal('federation', 'SIGWINCH')
  while (product.processes.get('federation') === old) await pause(20)
  await product.ready()
  const { reads, writes, ids } = await stop()
  expect([refusals(reads), refusals(writes)]).toEqual([[], []])
  await product.waitForIdle()
  await allThere(ids)
})

test('F086 with more connections than file descriptors a process refuses some, keeps running, and recovers', async () => {
  const { pid } = product.processes.get('edge') ?? {}
  await allowFiles(pid, 512)
  const sockets = Array.from(
    { length: 700 },
    (): Socket => connect(product.port, '127.0.0.1').on('error', () => undefined),
  )
  await pause(1_000)
  for (const socket of sockets) socket.destroy()
  await expect
    .poll(async () => (await sendRequest('/api/v1/accounts/verify_credentials').catch(() => null))?.status)
    .toBe(200)
  await allowFiles(pid, 4096)
  expect(product.processes.get('edge')?.pid).toBe(pid)
})

test('F077 F078 the clocks of processes may differ by half a minute, and one may jump by an hour', async () => {
  const move = (name: string, ms: number) =>
    fetch(`http://127.0.0.1:${product.processes.get(name)?.healthPort}/clock?offset_ms=${ms}`)
  const ids: string[] = []
  const write = async () => {
    const answer = await post('by whatever clock')
    expect(answer.status).toBe(200)
    ids.push(((await answer.json()) as { id: string }).id)
  }
  await move('accounts1', 30_000)
  await move('accounts2', -30_000)
  await move('federation', 30_000)
  for (let n = 0; n < 4; n++) await write()
  expect((await sendRequest('/api/v1/timelines/home')).status).toBe(200)
  await move('statuses1', 3_600_000)
  await move('statuses2', 3_600_000)
  for (let n = 0; n < 4; n++) await write()
  await move('statuses1', -3_600_000)
  await move('statuses2', -3_600_000)
  for (let n = 0; n < 8; n++) await write()
  expect(new Set(ids).size).toBe(ids.length)
  await allThere(ids)
  for (const name of ['accounts1', 'accounts2', 'federation', 'statuses1', 'statuses2']) await move(name, 0)
  expect((await sendRequest('/api/v1/accounts/verify_credentials')).status).toBe(200)
})

test('F016 without the bus, requests are refused with `Retry-After`, processes are alive but not ready, and recover', async () => {
  await product.nats.kill()
  try {
    await expect.poll(async () => (await post('nobody hears')).status).toBe(503)
    for (const answer of [await post('nobody hears'), await sendRequest('/api/v1/timelines/home')]) {
      expect([answer.status, answer.headers.get('content-type')]).toEqual([503, 'application/json; charset=utf-8'])
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    for (const name of Object.keys(TABLE)) expect(await health(name, '/livez')).toBe(200)
    await expect.poll(() => health('accounts1', '/readyz')).toBe(503)
  } finally {
    await product.nats.start()
  }
  await product.ready()
  await expect.poll(async () => (await post('heard again')).status).toBe(200)
  await product.waitForIdle()
})

test('F014 random processes are killed one after the other under load: every acknowledged status exists', async () => {
  const names = [
    'accounts1',
    'statuses2',
    'accounts2',
    'federation',
    'statuses1',
    'accounts1',
    'statuses1',
    'accounts2',
    'statuses2',
  ]
  const stop = atWork()
  for (const name of names) {
    await product.processes.get(name)?.kill('SIGKILL')
    await pause(2_000)
  }
  const { ids, reads } = await stop()
  expect(reads.filter((one) => ![200, 503, 504].includes(one))).toEqual([])
  await product.ready()
  await product.waitForIdle()
  await allThere(ids)
})

test('F082 processes that start before the bus wait for it, and none exits', async () => {
  await product.nats.kill()
  const old = new Map(product.processes)
  await Promise.all([...old.values()].map((one) => one.kill('SIGKILL')))
  const isNew = (name: string) => product.processes.get(name) !== old.get(name)
  while (!Object.keys(TABLE).every(isNew)) await pause(20)
  await expect.poll(() => health('accounts1', '/livez')).toBe(200)
  const starts = [...product.processes.values()].map((one) => one.starts)
  await product.nats.start()
  await product.ready()
  expect([...product.processes.values()].map((one) => one.starts)).toEqual(starts)
  expect((await post('all together')).status).toBe(200)
})
