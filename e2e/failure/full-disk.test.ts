/** A full disk of PostgreSQL: writes are refused with `Retry-After`, reads succeed, and writes succeed again when space is free. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort, type Product, repository } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createUser, postAs, requestAs, startWhole, type TestUser } from '../product.js'

const usual = process.env.DATABASE_URL
const dir = mkdtempSync(join(tmpdir(), 'full-disk-'))
let postgres: ChildProcess
let lines: AsyncIterator<string>
let product: Product
let alice: TestUser

/** Sends `fill` or `free` to the program of the small disk. Returns the line that it prints. */
const disk = async (word: string): Promise<string> => {
  postgres.stdin?.write(`${word}\n`)
  for (let line = await lines.next(); ; line = await lines.next()) {
    if (line.done) throw new Error('the small disk is gone')
    if (/^(full|free)/.test(line.value)) return line.value
  }
}

beforeAll(async () => {
  const port = await freePort()
  postgres = spawn(
    'unshare',
    [
      '--user',
      '--map-root-user',
      '--mount',
      process.execPath,
      'e2e/failure/small-disk-postgres.mjs',
      dir,
      String(port),
    ],
    { cwd: repository(), stdio: ['pipe', 'pipe', 'inherit'] },
  )
  lines = createInterface({ input: postgres.stdout! })[Symbol.asyncIterator]()
  const first = await lines.next()
  process.env.DATABASE_URL = String(first.value)
  product = await startWhole()
  alice = await createUser(product, 'alice')
  await product.waitForIdle()
})
afterAll(async () => {
  await product?.stop()
  process.env.DATABASE_URL = usual
  const gone = new Promise((resolve) => postgres.once('exit', resolve))
  postgres.stdin?.end()
  await gone
  rmSync(dir, { recursive: true, force: true })
})

const request = (path: string) => requestAs(product, alice, path)
const words = 'words that need some room '.repeat(18)
const post = async (key: string, n: number) => {
  const answer = await postAs(product, alice, { status: `${n} ${words}` }, key)
  return {
    status: answer.status,
    retry: answer.headers.get('retry-after'),
    body: (await answer.json()) as { id: string },
  }
}

test('F041 a full disk refuses writes, not reads; with free space every acknowledged status exists, and refused ones can be posted', async () => {
  const pids = [...product.processes.values()].map((one) => one.pid)
  const answered: string[] = []
  for (let n = 0; n < 20; n++) answered.push((await post(randomUUID(), n)).body.id)
  await product.waitForIdle()
  expect(await disk('fill')).toMatch(/^full/)
  const refused: { key: string; n: number }[] = []
  for (let n = 100; refused.length < 5 && n < 3_000; n++) {
    const key = randomUUID()
    const answer = await post(key, n)
    if (answer.status === 200) answered.push(answer.body.id)
    else {
      expect([answer.status, Number(answer.retry) > 0]).toEqual([503, true])
      expect(JSON.stringify(answer.body)).not.toMatch(/disk|space|extend|postgres/i)
      refused.push({ key, n })
    }
  }
  expect(refused).toHaveLength(5)
  expect((await request('/api/v1/timelines/home')).status).toBeLessThan(300)
  expect((await request(`/api/v1/accounts/${alice.id}/statuses`)).status).toBe(200)
  expect((await request('/api/v1/accounts/verify_credentials')).status).toBe(200)

  expect(await disk('free')).toBe('free')
  for (const { key, n } of refused)
    await expect
      .poll(
        async () => {
          const answer = await post(key, n)
          if (answer.status === 200) answered.push(answer.body.id)
          return answer.status
        },
        { interval: 500 },
      )
      .toBe(200)
  await product.ready()
  await product.waitForIdle()
  const seen: string[] = []
  for (let max = ''; ; ) {
    const page = (await (await request(`/api/v1/accounts/${alice.id}/statuses?limit=40${max}`)).json()) as {
      id: string
    }[]
    if (page.length === 0) break
    seen.push(...page.map((one) => one.id))
    max = `&max_id=${page.at(-1)?.id}`
  }
  // Every acknowledged status exists once. A refused write may have been stored; its retry with the same key returned that status.
  expect([...seen].sort()).toEqual([...new Set(answered)].sort())
  expect([...product.processes.values()].map((one) => one.pid)).toEqual(pids)
})
