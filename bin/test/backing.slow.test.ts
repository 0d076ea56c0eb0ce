/** The real backing services: first and second start, a second supervisor, a killed one, and a clean end. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { jetstreamManager } from '@murmuration/bus'
import { connect } from '@nats-io/transport-node'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { isRunning } from '../lib/identity.mjs'
import { until } from '../lib/until.mjs'

const script = fileURLToPath(new URL('../dev-env.mjs', import.meta.url))
const dir = mkdtempSync(join(tmpdir(), 'backing-'))
const started: ChildProcess[] = []

afterAll(async () => {
  for (const child of started) child.kill('SIGTERM')
  await until(() => started.every((child) => child.exitCode !== null || child.signalCode !== null), { within: 20_000 })
  rmSync(dir, { recursive: true, force: true })
})

type Identity = { name: string; pid: number; born: string }

/** Starts a supervisor. Resolves when it has printed its addresses. */
async function supervisor() {
  const child = spawn(process.execPath, [script, '--dir', dir], { stdio: ['ignore', 'pipe', 'pipe'] })
  started.push(child)
  let printed = ''
  let said = ''
  child.stdout.on('data', (text) => {
    printed += text
  })
  child.stderr.on('data', (text) => {
    said += text
  })
  const ended = once(child, 'exit')
  await until(() => printed.includes('REDIS_URL') || child.exitCode !== null, { within: 60_000 })
  const env = Object.fromEntries(
    [...printed.matchAll(/^export (\w+)='(.*)'$/gm)].map(([, name, value]) => [name, value]),
  )
  return { child, env, ended, said: () => said }
}

const servers = () => JSON.parse(readFileSync(join(dir, 'running.json'), 'utf8')).children as Identity[]

async function answer(url: string | undefined, sql: string, values: string[] = []) {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query(sql, values).finally(() => client.end())
  return rows[0]
}

test('data and addresses survive Ctrl-C and a killed supervisor, and no process is left running', async () => {
  const first = await supervisor()
  expect(Object.keys(first.env)).toEqual(['DATABASE_URL', 'NATS_URL', 'NATS_MONITOR_URL', 'REDIS_URL'])
  expect(await answer(first.env.DATABASE_URL, `select current_setting('fsync') as fsync`)).toEqual({ fsync: 'on' })
  await answer(first.env.DATABASE_URL, 'create table kept as select 1 as one')
  const monitor = await (await fetch(`${first.env.NATS_MONITOR_URL}/jsz`)).json()
  expect(monitor.config.store_dir).toContain(dir)
  expect(monitor.config.sync_always).toBe(true)
  expect(statSync(join(dir, 'passwords.json')).mode & 0o777).toBe(0o600)

  const rival = await supervisor()
  await rival.ended
  expect(rival.said()).toMatch(/is in use by process \d+: stop that one first/)
  expect(rival.child.exitCode).toBe(1)

  const ours = servers()
  expect(ours.map((server) => server.name).sort()).toEqual(['NATS', 'PostgreSQL', 'Redis'])
  first.child.kill('SIGKILL')
  const second = await supervisor()
  expect(ours.some(isRunning)).toBe(false)
  expect(second.env).toEqual(first.env)
  expect(await answer(second.env.DATABASE_URL, 'select one from kept')).toEqual({ one: 1 })

  const theirs = servers()
  second.child.kill('SIGINT')
  const [code] = await second.ended
  expect(code).toBe(0)
  expect(theirs.some(isRunning)).toBe(false)
})

test('the start waits for a PostgreSQL that is recovering for longer than a server may be silent', async () => {
  // A standby server without a primary refuses connections until it is promoted, as during recovery after a crash.
  const data = join(dir, 'pg')
  writeFileSync(join(data, 'standby.signal'), '')
  appendFileSync(join(data, 'postgresql.auto.conf'), 'hot_standby = off\n')
  const starting = supervisor()
  const began = Date.now()
  const log = join(dir, 'log', 'postgresql.log')
  await until(() => readFileSync(log, 'utf8').includes('entering standby mode'), { within: 60_000 })
  await until(() => Date.now() - began > 35_000, { within: 60_000 })
  writeFileSync(join(data, 'promote'), '')
  const [postmaster = ''] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
  process.kill(Number(postmaster), 'SIGUSR1')
  const { child, env, ended, said } = await starting
  expect(await answer(env.DATABASE_URL, 'select one from kept')).toEqual({ one: 1 })
  expect(said()).toMatch(/PostgreSQL is recovering its data, which may take minutes/)
  child.kill('SIGINT')
  await ended
})

test('the start fails with the reason if NATS cannot recover a stream', async () => {
  const first = await supervisor()
  const nc = await connect({ servers: first.env.NATS_URL })
  await (await jetstreamManager(nc)).streams.add({ name: 'JOBS', subjects: ['jobs.>'] })
  await nc.close()
  first.child.kill('SIGINT')
  await first.ended
  // A power cut may leave this file empty.
  const stream = join(dir, 'nats', 'jetstream', '$G', 'streams', 'JOBS')
  truncateSync(join(stream, 'meta.inf'), 0)
  const second = await supervisor()
  await second.ended
  expect(second.said()).toMatch(/NATS cannot recover its data: .*JetStream stream '\$G > JOBS' could not be recovered/)
  rmSync(stream, { recursive: true })
})

test('the log of PostgreSQL about a refused row contains no value of it', async () => {
  const { child, env, ended } = await supervisor()
  await answer(env.DATABASE_URL, 'create table person (email text unique)')
  const twice = 'insert into person select $1 from generate_series(1, 2)'
  await expect(answer(env.DATABASE_URL, twice, ['alice@private.example'])).rejects.toThrow('person_email_key')
  child.kill('SIGINT')
  await ended
  const log = readFileSync(join(dir, 'log', 'postgresql.log'), 'utf8')
  expect(log).toContain('person_email_key')
  expect(log).not.toContain('alice@private.example')
})

test('a server that ends unexpectedly stops the supervisor with one sentence', async () => {
  const { child, ended, said } = await supervisor()
  const all = servers()
  process.kill(all.find((server) => server.name === 'NATS')!.pid, 'SIGKILL')
  await ended
  expect(child.exitCode).toBe(1)
  expect(said()).toMatch(/NATS ended by itself \(SIGKILL\); see /)
  expect(all.some(isRunning)).toBe(false)
})
