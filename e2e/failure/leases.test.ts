/** Processes that are suspended beyond their lease, and processes with too little memory: nothing acknowledged is lost or done twice. */
import { readFile } from 'node:fs/promises'
import type { Product } from '@murmuration/testkit'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createUser, postAs, requestAs, startWhole, type TestUser } from '../product.js'

const TABLE = {
  edge: ['gateway', 'streaming'],
  accounts: ['accounts', 'admin', 'notifications'],
  statuses1: ['statuses'],
  statuses2: ['statuses'],
  federation: ['federation', 'media'],
}

let product: Product
let alice: TestUser
let bob: TestUser
let db: pg.Client
beforeAll(async () => {
  // A delay between taking a lease and the work, in which the process can be suspended.
  product = await startWhole({
    table: TABLE,
    revive: true,
    first: { statuses1: { FAULT_POINTS: 'lease.tick=sleep:1500' } },
  })
  alice = await createUser(product, 'alice')
  bob = await createUser(product, 'bob')
  await bob.api.v1.accounts.$select(alice.id).follow()
  await product.waitForIdle()
  db = new pg.Client({ connectionString: product.databaseUrl })
  await db.connect()
})
afterAll(async () => {
  await db?.end()
  await product?.stop()
})

const request = (path: string, init: RequestInit = {}, who = alice) => requestAs(product, who, path, init)
const post = (status: object) => postAs(product, alice, status)
const read = async <T>(path: string, who = alice): Promise<T> => (await request(path, {}, who)).json() as Promise<T>
const pidOf = (name: string) => product.processes.get(name)?.pid ?? 0
const lease = async (name: string) =>
  (
    await db.query<{ holder: string; fence: string }>('select holder, fence from statuses.leases where name = $1', [
      name,
    ])
  ).rows[0]
const DUE = 'statuses.publish-due'
const moveClocks = (offset: number) =>
  Promise.all(
    ['statuses1', 'statuses2'].map((name) =>
      fetch(`http://127.0.0.1:${product.processes.get(name)?.healthPort}/clock?offset_ms=${offset}`),
    ),
  )

test('F012 a process that is suspended beyond its lease loses it, and repeats nothing when it continues', async () => {
  const at = new Date(Date.now() + 330_000).toISOString()
  expect((await post({ status: 'in its time', scheduled_at: at })).status).toBe(200)
  const poll = (await (await post({ status: 'which?', poll: { options: ['a', 'b'], expires_in: 300 } })).json()) as {
    poll: { id: string }
  }
  const vote = { method: 'POST', body: JSON.stringify({ choices: [0] }) }
  expect((await request(`/api/v1/polls/${poll.poll.id}/votes`, vote, bob)).status).toBe(200)
  // The other process is suspended for a moment, so that statuses1 gets every lease.
  process.kill(pidOf('statuses2'), 'SIGSTOP')
  await db.query('delete from statuses.leases')
  await expect.poll(() => lease(DUE)).toBeDefined()
  const before = await lease(DUE)
  process.kill(pidOf('statuses2'), 'SIGCONT')
  await moveClocks(400_000)
  process.kill(pidOf('statuses1'), 'SIGSTOP')
  try {
    await expect.poll(async () => (await lease(DUE))?.holder).not.toBe(before?.holder)
    expect(Number((await lease(DUE))?.fence)).toBeGreaterThan(Number(before?.fence))
    await expect.poll(async () => (await read<unknown[]>(`/api/v1/accounts/${alice.id}/statuses`)).length).toBe(2)
  } finally {
    process.kill(pidOf('statuses1'), 'SIGCONT')
  }
  const after = await lease(DUE)
  await product.ready()
  // Waits until statuses1 has finished the work that it had taken, and has requested its lost lease again.
  const served = async () => {
    const answer = await fetch(`http://127.0.0.1:${product.processes.get('statuses1')?.healthPort}/metrics`)
    return Number(/^murmuration_process_cpu_seconds_total (\S+)/m.exec(await answer.text())?.[1])
  }
  const woken = await served()
  await expect.poll(served).toBeGreaterThan(woken + 0.2)
  await product.waitForIdle()
  const written = await read<{ content: string }[]>(`/api/v1/accounts/${alice.id}/statuses`)
  expect(written.map((one) => one.content).sort()).toEqual(['<p>in its time</p>', '<p>which?</p>'])
  const home = await read<{ content: string }[]>('/api/v1/timelines/home', bob)
  expect(home.filter((one) => one.content === '<p>in its time</p>')).toHaveLength(1)
  for (const who of [alice, bob])
    expect(await read<unknown[]>('/api/v1/notifications?types[]=poll', who)).toHaveLength(1)
  expect((await lease(DUE))?.holder).toBe(after?.holder)
  await moveClocks(0)
})

test('F085 a process with too little memory refuses requests or ends, and every acknowledged status exists', async () => {
  const small = { NODE_OPTIONS: '--max-old-space-size=128' }
  await product.restart('statuses1', small, 'SIGTERM')
  await product.restart('statuses2', small, 'SIGTERM')
  const words = 'many words that fill what there is, '.repeat(12)
  const { id: root } = (await (await post({ status: `root ${words}` })).json()) as { id: string }
  const ids: string[] = [root]
  for (let round = 0; round < 20; round++)
    ids.push(
      ...(await Promise.all(
        Array.from({ length: 10 }, async (_, n) => {
          const answer = await post({ status: `${round} ${n} ${words}`, in_reply_to_id: root })
          return ((await answer.json()) as { id: string }).id
        }),
      )),
    )
  let going = true
  let max = 0
  const watch = (async () => {
    while (going) {
      for (const name of ['statuses1', 'statuses2']) {
        const status = await readFile(`/proc/${pidOf(name)}/status`, 'utf8').catch(() => '')
        max = Math.max(max, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0))
      }
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  })()
  const seen = new Map<number, number>()
  await Promise.all(
    Array.from({ length: 1_000 }, async () => {
      const answer = await request(`/api/v1/statuses/${root}/context`).catch(() => null)
      await answer?.arrayBuffer().catch(() => null)
      if (answer && answer.status !== 200) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      seen.set(answer?.status ?? 0, (seen.get(answer?.status ?? 0) ?? 0) + 1)
    }),
  )
  going = false
  await watch
  // Every request gets a response: 200, or a refusal with `Retry-After`.
  expect([...seen.keys()].filter((status) => ![200, 503, 504].includes(status))).toEqual([])
  expect(seen.get(503)).toBeGreaterThan(0)
  expect(max / 1024).toBeLessThan(600)
  await product.ready()
  await product.waitForIdle()
  await expect.poll(async () => (await request(`/api/v1/statuses/${root}/context`)).status).toBe(200)
  for (let at = 0; at < ids.length; at += 20) {
    const some = ids.slice(at, at + 20)
    const query = some.map((id) => `id[]=${id}`).join('&')
    expect(await read<unknown[]>(`/api/v1/statuses?${query}`)).toHaveLength(some.length)
  }
})
