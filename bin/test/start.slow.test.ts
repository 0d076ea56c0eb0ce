/** `npm start` with mistakes of the operator: each is reported in one sentence before any server starts. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort, repository, SOURCE_ARGS } from '@murmuration/testkit'
import { afterAll, expect, test } from 'vitest'

const dir = mkdtempSync(join(tmpdir(), 'start-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const run = async (program: string[], more: Record<string, string>) => {
  const { DATABASE_URL: _pg, NATS_URL: _nats, REDIS_URL: _redis, ...env } = process.env
  const child = spawn(process.execPath, program, { cwd: repository(), env: { ...env, ...more } })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said += chunk
    })
  const [code] = (await once(child, 'close')) as [number]
  return { code, said }
}

test.each([
  ['STREAMING_MAX_BUFFERED', 'lots'],
  ['DB_POOL', '0'],
  ['LOCAL_DOMAIN', 'https://social.example'],
  ['S3_ENABLED', 'perhaps'],
])('%s=%s stops the start with a sentence that names it, and no server was made', async (name, value) => {
  const { code, said } = await run(['bin/start.mjs'], {
    DATA_DIR: dir,
    PORT: String(await freePort()),
    [name]: value,
  })
  expect([code, said]).toEqual([1, expect.stringContaining(name)])
  expect(said).not.toMatch(/listens on port|\n\s+at /)
  expect(['pg', 'nats', 'redis'].filter((one) => existsSync(join(dir, one)))).toEqual([])
})

test('a data folder that cannot be created is reported in one sentence', async () => {
  writeFileSync(join(dir, 'a-file'), '')
  const folder = join(dir, 'a-file', 'data')
  const { code, said } = await run(['bin/start.mjs'], { DATA_DIR: folder, PORT: String(await freePort()) })
  expect([code, said.trim()]).toEqual([
    1,
    expect.stringMatching(/^The data folder \S+ cannot be written \(ENOTDIR\): /),
  ])
  expect(said).not.toMatch(/\n\s+at /)
})

test('bin/ctl reports that no server runs', async () => {
  const { SECRET_KEY_BASE: _one, SECRETS_DIR: _two, ...env } = process.env
  const result = promisify(execFile)(join(repository(), 'bin/ctl'), ['queues'], { env: { ...env, DATA_DIR: dir } })
  await expect(result).rejects.toThrow('No running server responds: start it with npm start')
})

test('F036 pools larger than the connections of PostgreSQL are reported in one line', async () => {
  const migrate = (more: Record<string, string>) =>
    run([...SOURCE_ARGS, 'bin/migrate.ts'], {
      MODE: 'test',
      SECRET_KEY_BASE: 'a base of more than thirty-two characters',
      DATABASE_URL: Object.assign(new URL(process.env.DATABASE_URL ?? ''), { pathname: '/pools_test' }).toString(),
      DATABASE_ROLES: 'shared',
      ...more,
    })
  const fits = await migrate({ DB_POOL: '8' })
  expect([fits.code, fits.said]).toEqual([0, expect.not.stringContaining('warn')])
  const many = await migrate({ DATABASE_CONNECTIONS: '5000' })
  const lines = many.said.split('\n').filter((line) => line.includes('"warn"'))
  expect([many.code, lines.length]).toEqual([0, 1])
  expect(JSON.parse(lines[0] ?? '{}').message).toMatch(
    /^All processes together may open 5000 connections to PostgreSQL, which takes \d+: set its max_connections to 6253 or more/,
  )
})
