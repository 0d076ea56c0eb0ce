/** The health check of containers: which processes it ends, and which it leaves. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@murmuration/testkit'
import { afterAll, afterEach, expect, test } from 'vitest'
import { checkContainer } from './container-health.mjs'

const dir = mkdtempSync(join(tmpdir(), 'container-health-'))
afterAll(() => rmSync(dir, { recursive: true }))
const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** Starts a process whose health port responds with these statuses. `more` is further code of the process. */
const startRoles = async (statuses: Record<string, number>, more = '') => {
  const port = await freePort()
  const code = `let statuses = ${JSON.stringify(statuses)}
    ${more}
    require('node:http').createServer((req, res) => res.writeHead(statuses[req.url]).end()).listen(${port}, '127.0.0.1', () => console.log('ready'))`
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  await once(child.stdout, 'data')
  const file = join(dir, String(port))
  const check = (now = Date.now()) =>
    checkContainer({ port: String(port), file, findRoles: () => child.pid ?? null, responseWithin: 1_000, now })
  /** Stored number of failed checks. */
  const stored = () => (existsSync(file) ? Number(readFileSync(file, 'utf8').split(' ')[1]) : 0)
  /** Checks until this number of failed checks is stored. A check on a busy machine may not count. */
  const failTimes = async (times: number) => {
    while (stored() < times) expect(await check()).toBe(false)
  }
  /** Checks some times. Returns the results, and the signal that ended the process. */
  const checkTimes = async (times: number) => {
    const results: boolean[] = []
    for (let i = 0; i < times; i++) results.push(await check())
    return results
  }
  const ended = () => child.exitCode !== null || child.signalCode !== null
  return { child, check, checkTimes, failTimes, stored, ended }
}

test('a process that is ready is healthy', async () => {
  const roles = await startRoles({ '/livez': 200, '/readyz': 200 })
  expect(await roles.check()).toBe(true)
})

test('a process that waits for a store is unhealthy, and is not ended', async () => {
  const roles = await startRoles({ '/livez': 200, '/readyz': 503 })
  expect(await roles.checkTimes(12)).toEqual(Array(12).fill(false))
  expect(roles.ended()).toBe(false)
})

test('a process with a stuck consumer is ended after six failed checks', async () => {
  const roles = await startRoles({ '/livez': 503, '/readyz': 200 })
  const exit = once(roles.child, 'exit')
  expect(await roles.checkTimes(5)).toEqual(Array(5).fill(false))
  expect(roles.ended()).toBe(false)
  expect(await roles.check()).toBe(false)
  expect(await exit).toEqual([null, 'SIGTERM'])
})

test('a process that stops in order after six failed checks is not killed', async () => {
  const roles = await startRoles(
    { '/livez': 503, '/readyz': 200 },
    `process.once('SIGTERM', () => {
      statuses = { '/livez': 200, '/readyz': 503 }
      setTimeout(() => process.exit(7), 5_000)
    })`,
  )
  const exit = once(roles.child, 'exit')
  await roles.checkTimes(6)
  // Docker checks again after ten seconds; these checks are closer together.
  await expect.poll(async () => [await roles.check(), roles.ended()], { timeout: 10_000 }).toEqual([false, true])
  expect(await exit).toEqual([7, null])
}, 20_000)

test('a process that does not respond gets SIGTERM in the sixth failed check, and is killed in the seventh', async () => {
  const roles = await startRoles({ '/livez': 200, '/readyz': 200 })
  const exit = once(roles.child, 'exit')
  roles.child.kill('SIGSTOP')
  await roles.failTimes(6)
  expect(roles.ended()).toBe(false)
  await roles.failTimes(7)
  expect(await exit).toEqual([null, 'SIGKILL'])
}, 60_000)

test('failed checks do not add up over a pause of more than a minute', async () => {
  const roles = await startRoles({ '/livez': 503, '/readyz': 200 })
  const exit = once(roles.child, 'exit')
  const checksAt = async (seconds: number[]) => {
    for (const second of seconds) await roles.check(second * 1_000)
  }
  await checksAt([0, 15, 30, 45, 60, 121, 136, 151, 166, 226])
  expect(roles.ended()).toBe(false)
  await roles.check(241_000)
  expect(await exit).toEqual([null, 'SIGTERM'])
})

/** Makes the next check late: it cannot read a response while its own event loop is blocked. */
const blockSoon = () => setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000), 500)

test('a check that got no CPU time itself does not count', async () => {
  const roles = await startRoles({ '/livez': 200, '/readyz': 200 })
  roles.child.kill('SIGSTOP')
  await roles.failTimes(5)
  blockSoon()
  expect(await roles.check()).toBe(false)
  expect(roles.stored()).toBe(5)
  roles.child.kill('SIGCONT')
  expect(await roles.check()).toBe(true)
  expect(roles.ended()).toBe(false)
}, 60_000)

test('a late check keeps the failed checks before it', async () => {
  const roles = await startRoles({ '/livez': 200, '/readyz': 200 })
  roles.child.kill('SIGSTOP')
  await roles.failTimes(5)
  const begun = Date.now()
  blockSoon()
  await roles.check(begun + 50_000)
  await expect.poll(() => roles.check(begun + 100_000).then(roles.stored)).toBe(6)
}, 60_000)

test('failed checks do not add up across successful ones', async () => {
  const roles = await startRoles({ '/livez': 200, '/readyz': 200 })
  for (const pause of [3, 3]) {
    roles.child.kill('SIGSTOP')
    await roles.failTimes(pause)
    roles.child.kill('SIGCONT')
    await expect.poll(roles.check, { timeout: 5_000 }).toBe(true)
  }
  expect(roles.ended()).toBe(false)
}, 60_000)

test('a process without a listener starts or stops, and is not ended', async () => {
  const { child } = await startRoles({})
  const port = String(await freePort())
  const check = () => checkContainer({ port, file: join(dir, port), findRoles: () => child.pid ?? null })
  for (let i = 0; i < 8; i++) expect(await check()).toBe(false)
  expect(child.exitCode).toBeNull()
})
