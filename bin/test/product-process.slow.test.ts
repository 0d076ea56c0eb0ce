/** A real supervised process: ready, killed, restarted, drained; and one that cannot start. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freePort } from '../lib/ports.mjs'
import { pauseBefore, superviseProcess } from '../lib/product-process.mjs'
import { until } from '../lib/until.mjs'

const program = `
  const server = require('node:http').createServer((request, response) => response.end())
  server.listen(Number(process.env.HEALTH_PORT), '127.0.0.1')
  process.on('SIGTERM', () => { console.log('drained'); server.close(); server.closeAllConnections() })
`

async function supervised(source: string) {
  const dir = mkdtempSync(join(tmpdir(), 'process-'))
  const file = join(dir, 'program.cjs')
  writeFileSync(file, source)
  const said: string[] = []
  const logFile = join(dir, 'program.log')
  const healthPort = await freePort()
  const process_ = superviseProcess({
    name: 'core',
    argv: [process.execPath, file],
    env: process.env,
    healthPort,
    logFile,
    hold: { remember: () => {} },
    say: (line: string) => said.push(line),
    guard: { checkEvery: 100, hangsAfter: 1_000 },
  })
  const answers = async () => (await fetch(`http://127.0.0.1:${healthPort}/readyz`)).ok
  return { ...process_, said, answers, log: () => readFileSync(logFile, 'utf8') }
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('a killed process is restarted, and a stop lets it drain', async () => {
  const core = await supervised(program)
  await core.ready
  const first = core.pid()
  process.kill(first, 'SIGKILL')
  expect(await until(() => core.pid() !== first, { within: 2_000 })).toBe(true)
  expect(core.said).toEqual(['core ended by itself (SIGKILL); it starts again at once'])
  const second = core.pid()
  expect(await until(core.answers, { within: 10_000 })).toBe(true)
  await core.stop()
  expect(isAlive(second)).toBe(false)
  expect(core.log()).toContain('drained')
})

test('a process that hangs or whose /livez fails is ended and restarted', async () => {
  const core = await supervised(`
    let isAlive = true
    require('node:http')
      .createServer((request, response) => {
        response.statusCode = request.url === '/livez' && !isAlive ? 503 : 200
        response.end()
      })
      .listen(Number(process.env.HEALTH_PORT), '127.0.0.1')
    process.on('SIGUSR2', () => { isAlive = false })
  `)
  await core.ready
  for (const signal of ['SIGSTOP', 'SIGUSR2']) {
    const hung = core.pid()
    process.kill(hung, signal)
    expect(await until(() => core.pid() !== hung, { within: 20_000 })).toBe(true)
    expect(isAlive(hung)).toBe(false)
    expect(await until(core.answers, { within: 10_000 })).toBe(true)
  }
  expect(core.said).toEqual([
    'core failed its checks for 1 s and was ended (SIGKILL); it starts again at once',
    'core failed its checks for 1 s and was ended (SIGTERM); it starts again in 1 s',
  ])
  await core.stop()
})

test('a process whose /livez fails has time to stop in order, also if the supervisor stops meanwhile', async () => {
  const core = await supervised(`
    let alive = 200
    require('node:http')
      .createServer((request, response) => {
        response.statusCode = request.url === '/livez' ? alive : 200
        response.end()
      })
      .listen(Number(process.env.HEALTH_PORT), '127.0.0.1')
    process.on('SIGUSR2', () => { alive = 503 })
    process.once('SIGTERM', () => {
      alive = 200
      console.log('stopping')
      setTimeout(() => { console.log('drained'); process.exit(7) }, 5_000)
    })
  `)
  const drains = () => core.log().split('drained').length - 1
  const stops = () => core.log().split('stopping').length - 1
  await core.ready
  const first = core.pid()
  process.kill(first, 'SIGUSR2')
  expect(await until(() => core.pid() !== first, { within: 20_000 })).toBe(true)
  expect(core.said).toContain('core failed its checks for 1 s and was ended (code 7); it starts again at once')
  expect(drains()).toBe(1)
  expect(await until(core.answers, { within: 10_000 })).toBe(true)
  process.kill(core.pid(), 'SIGUSR2')
  expect(await until(() => stops() === 2, { within: 10_000 })).toBe(true)
  await core.stop()
  expect(drains()).toBe(2)
})

test('a process that ends twice before it is ready is not restarted, and its error is reported', async () => {
  const core = await supervised(`throw new Error('LOCAL_DOMAIN is empty')`)
  await expect(core.gaveUp).rejects.toThrow(
    'core ended twice before it was ready (code 1): Error: LOCAL_DOMAIN is empty',
  )
  await core.stop()
})

test('the first restart is immediate, and pauses double from one second to thirty', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 50].map(pauseBefore)).toEqual(
    [0, 1, 2, 4, 8, 16, 30, 30].map((seconds) => seconds * 1_000),
  )
})
