/** Concurrent fetches of several processes: one fetch is shared by all, and rate limits count together. */
import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { SOURCE_ARGS } from '@murmuration/testkit'
import { serve, type WebServer } from '@murmuration/testkit/outside/web-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RequestReason } from '../src/resolver/request-limits.js'
import type { Order } from './asking-process.js'

const program = fileURLToPath(new URL('./asking-process.ts', import.meta.url))
const prefix = `asking:${randomUUID()}`
let site: WebServer
let asked: string[] = []
let release: () => void = () => {}
let gate: Promise<void> = Promise.resolve()
const processes: ChildProcess[] = []

const start = async (): Promise<ChildProcess> => {
  const child = fork(program, [process.env.REDIS_URL ?? 'redis://127.0.0.1:6379', prefix], {
    execArgv: [...SOURCE_ARGS],
  })
  processes.push(child)
  await once(child, 'message')
  return child
}
const order = async (child: ChildProcess, what: Order): Promise<unknown> => {
  child.send(what)
  const [{ answer }] = (await once(child, 'message')) as [{ answer: unknown }]
  return answer
}
/** The server holds requests until the test releases them. */
const hold = () => {
  gate = new Promise((resolve) => {
    release = resolve
  })
}
const until = async (is: () => boolean) => {
  while (!is()) await new Promise((resolve) => setTimeout(resolve, 10))
}

beforeAll(async () => {
  site = await serve(({ path }, { response }) => {
    asked.push(path)
    void gate.then(() => response.end(`${path} ${asked.filter((it) => it === path).length}`))
    return undefined
  })
  await Promise.all([start(), start()])
})
afterAll(async () => {
  for (const child of processes) child.kill('SIGKILL')
  release()
  await site.close()
})

test('concurrent requests for one address share one fetch', async () => {
  const [a, b] = processes as [ChildProcess, ChildProcess]
  hold()
  const read = { url: `${site.origin}/one`, keepMs: 0 }
  const answers = Promise.all([order(a, { read }), order(b, { read })])
  await until(() => asked.includes('/one'))
  release()
  expect(await answers).toEqual(['/one 1', '/one 1'])
})

test('a failure or a result is cached for later requests', async () => {
  const [a, b] = processes as [ChildProcess, ChildProcess]
  const read = { url: `${site.origin}/kept`, keepMs: 60_000 }
  expect(await order(a, { read })).toBe('/kept 1')
  expect(await order(b, { read })).toBe('/kept 1')
})

test('if a process dies during a fetch, a waiting process takes over', async () => {
  asked = []
  const [a, b] = processes as [ChildProcess, ChildProcess]
  const dying = await start()
  hold()
  const read = { url: `${site.origin}/dies`, keepMs: 0 }
  dying.send({ read } satisfies Order)
  await until(() => asked.length === 1)
  const answers = Promise.all([order(a, { read }), order(b, { read })])
  dying.kill('SIGKILL')
  await until(() => asked.length === 2)
  release()
  expect(await answers).toEqual(['/dies 2', '/dies 2'])
})

test('hostile 106 requests to one host, and to all hosts, are counted together', async () => {
  const [a, b] = processes as [ChildProcess, ChildProcess]
  const both = async (host: string, why: RequestReason = 'waited-for', times = 200) => {
    const sendRequest = { host, times, why }
    const granted = (await Promise.all([order(a, { sendRequest }), order(b, { sendRequest })])) as number[]
    return granted.reduce((sum, it) => sum + it, 0)
  }
  expect(await both('busy.example', 'signer-key', 1_200), 'what anybody may have named').toBe(2_000)
  expect(await both('busy.example', 'behind'), 'a part is kept for those who wait').toBe(200)
  expect(await both('busy.example')).toBe(100)
  expect(await both('other.example')).toBe(300)
  expect(await both('third.example')).toBe(0)
})
