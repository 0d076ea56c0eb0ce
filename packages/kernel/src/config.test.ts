/** Wrong settings: each stops the start with one line that names the variable and what it should be. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { blobOptionsOf, blobSettings, readCommonConfig, siteOf } from './config.js'
import { parseFaults } from './faults.js'
import { startHost } from './host.js'
import { blocks, ConfigError, domains, file, readConfig } from './settings.js'

const SECRET_KEY_BASE = 'x'.repeat(32)
const read = (env: Record<string, string>) => readCommonConfig({ SECRET_KEY_BASE, ...env })

test.each([
  ['MODE', 'strict', 'Invalid option'],
  ['LOCAL_DOMAIN', 'https://social.example', 'without https://'],
  ['LOCAL_DOMAIN', 'a b', 'must be a host name'],
  ['WEB_DOMAIN', 'social.example/path', 'must be a host name'],
  ['LOCAL_HTTPS', 'maybe', 'Invalid option'],
  ['DATABASE_URL', 'mysql://x', 'postgres://'],
  ['DATABASE_URL', 'nonsense', 'postgres://'],
  ['NATS_URL', 'http://[', 'nats://'],
  ['REDIS_URL', 'localhost:6379', 'redis://'],
  ['DB_POOL', 'many', 'must be a whole number'],
  ['DB_POOL', '0', '>=1'],
  ['PREPARED_STATEMENTS', 'maybe', 'must be true or false'],
  ['SECRET_KEY_BASE', 'short', 'at least 32 characters'],
  ['SECRET_KEY_BASE', '', 'is missing'],
  ['HEALTH_PORT', '99999', '<=65535'],
  ['SOURCE_BASE_URL', 'nonsense', 'must be an address'],
  ['FAULT_POINTS', 'a.b=exit', 'refuses to start'],
  ['TEST_CLOCK_OFFSET_MS', '5', 'refuses to start'],
  ['SECRETS_DIR', '/nonexistent', 'a folder that is not there'],
  ['NODE_TLS_REJECT_UNAUTHORIZED', '0', 'is 0'],
])('A192 D062 D064 %s=%s is refused in one line: %s', (name, value, text) => {
  const refused = () => read({ [name]: value })
  expect(refused).toThrow(ConfigError)
  expect(refused).toThrow(new RegExp(`^${name} .*${text.replace(/[/]/g, '\\/')}[^\n]*$`))
})

test('a store of files that cannot be is refused', () => {
  expect(() => blobOptionsOf(readConfig(blobSettings, { BLOB_DIR: '/dev/null/files' }))).toThrow(
    /^BLOB_DIR is no folder/,
  )
  expect(() => readConfig(blobSettings, { S3_ENDPOINT: 'nonsense' })).toThrow(/^S3_ENDPOINT must be an address/)
})

test('what is secret is never repeated', () => {
  expect(() => read({ DATABASE_URL: 'mysql://me:hush@host/db', REDIS_URL: 'hush' })).toThrow(/^(?!.*hush)/s)
})

test('values that servers have are taken', () => {
  const config = read({
    LOCAL_DOMAIN: 'bücher.example',
    WEB_DOMAIN: '[::1]:3000',
    DATABASE_URL: 'postgresql:///murmuration?host=/run/postgresql',
    NATS_URL: 'nats://a:4222,tls://b:4222',
    REDIS_URL: 'rediss://user:pass@cache.example:6380/2',
  })
  expect(siteOf(config).origin).toBe('http://[::1]:3000')
})

test('lists and files are judged too', () => {
  const dir = mkdtempSync(join(tmpdir(), 'config-'))
  writeFileSync(join(dir, 'ca.pem'), '')
  const settings = {
    hosts: domains('HOSTS', { or: '', about: '' }),
    nets: blocks('NETS', { or: '', about: '' }),
    ca: file('CA', { or: '', about: '' }),
  }
  const good = { HOSTS: 'a.example, b.example:8443', NETS: '127.0.0.0/8, ::1/128', CA: join(dir, 'ca.pem') }
  expect(readConfig(settings, good)).toEqual({ hosts: good.HOSTS, nets: good.NETS, ca: good.CA })
  expect(readConfig(settings, {})).toEqual({ hosts: '', nets: '', ca: '' })
  rmSync(dir, { recursive: true })
  expect(() => readConfig(settings, { HOSTS: 'https://a', NETS: '127.0.0.1', CA: good.CA })).toThrow(
    /^HOSTS must be host names.*\nNETS must be blocks.*\nCA names something that is not there/,
  )
  expect(() => blobOptionsOf(readConfig(blobSettings, { S3_ENABLED: 'true' }))).toThrow('S3_BUCKET is missing')
})

test.each(['x', 'a.b=explode', 'a.b=exit@', 'a.b=sleep'])('FAULT_POINTS=%s is refused in one line', (spec) => {
  expect(() => parseFaults(spec)).toThrow(ConfigError)
  expect(() => parseFaults(spec)).toThrow(/^FAULT_POINTS: [^\n]*$/)
})

test('settings of services are judged before anything connects', async () => {
  const app = {
    manifest: { service: 'media', roles: {} },
    createContext: () => ({}),
    checkSettings: (env: NodeJS.ProcessEnv) => {
      if (env.ODD) throw new ConfigError('ODD is odd.')
    },
  }
  const env = { SECRET_KEY_BASE, ODD: '1', NATS_URL: 'nats://127.0.0.1:1', DATABASE_URL: 'postgres://127.0.0.1:1/x' }
  await expect(startHost([{ app: app as never }], env)).rejects.toThrow('ODD is odd.')
})
