/** bin/migrate.ts before PostgreSQL responds, and during another run: it waits, reports the wait, and continues as soon as possible. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort, repository, SOURCE_ARGS } from '@murmuration/testkit'
import pg from 'pg'
import { expect, test } from 'vitest'

const database = new URL(process.env.DATABASE_URL ?? '')

const migrate = (url: URL, wait: number) => {
  const child = spawn(process.execPath, [...SOURCE_ARGS, 'bin/migrate.ts'], {
    cwd: repository(),
    env: {
      ...process.env,
      MODE: 'test',
      SECRET_KEY_BASE: 'a base of more than thirty-two characters',
      DATABASE_URL: url.toString(),
      DATABASE_ROLES: 'shared',
      DATABASE_WAIT: String(wait),
    },
  })
  const output = { text: '' }
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output.text += chunk
    })
  const ended = once(child, 'close').then(([code]) => ({ code: code as number, text: output.text }))
  return { ended, output }
}

test('the migrations wait for a PostgreSQL that starts later, and report every ten seconds', async () => {
  const port = await freePort()
  const url = Object.assign(new URL(database), { hostname: '127.0.0.1', port: String(port), pathname: '/late_test' })
  const { ended, output } = migrate(url, 120)
  await expect.poll(() => output.text).toContain('"waiting for PostgreSQL"')
  const late = createServer((client) => {
    const server = connect({ host: database.hostname, port: Number(database.port || 5432) })
    client.pipe(server).pipe(client)
    client.on('error', () => server.destroy())
    server.on('error', () => client.destroy())
  })
  await new Promise<void>((resolve) => late.listen(port, '127.0.0.1', resolve))
  const { code, text } = await ended
  late.close()
  expect([code, text]).toEqual([0, expect.stringContaining('"migrated"')])
  const line = JSON.parse(text.split('\n').find((one) => one.includes('waiting')) ?? '{}')
  expect(line).toMatchObject({ level: 'info', limit: 120, error: expect.stringContaining('ECONNREFUSED') })
  expect(line.seconds).toBeGreaterThanOrEqual(10)
})

test('the migrations report that they wait for another run on the same schema', async () => {
  const url = Object.assign(new URL(database), { pathname: '/waiting_test' })
  const admin = new pg.Client({ connectionString: database.toString() })
  await admin.connect()
  await admin.query('create database waiting_test')
  const other = new pg.Client({ connectionString: url.toString() })
  await other.connect()
  await other.query("select pg_advisory_lock(hashtext('murmuration migrate media'))")
  const { ended, output } = migrate(url, 0)
  await expect.poll(() => output.text).toContain('"waiting for another migration run","service":"media","seconds":0')
  await other.end()
  expect(await ended).toMatchObject({ code: 0, text: expect.stringContaining('"migrated"') })
  await admin.query('drop database waiting_test with (force)')
  await admin.end()
})

test('the wait ends with one sentence after its time limit', async () => {
  const url = Object.assign(new URL(database), { hostname: '127.0.0.1', port: String(await freePort()) })
  const { code, text } = await migrate(url, 2).ended
  expect([code, text.trim()]).toEqual([
    1,
    expect.stringMatching(/^PostgreSQL does not respond at DATABASE_URL \(.+\)\.$/),
  ])
})

test('a refused password ends the wait immediately', async () => {
  const url = Object.assign(new URL(database), { username: 'nobody_of_that_name', password: 'wrong' })
  const waited = migrate(url, 600).ended
  const result = await Promise.race([waited, pause(90_000)])
  expect(result).toMatchObject({ code: 1, text: expect.stringMatching(/Migration failed: .*nobody_of_that_name/) })
})
