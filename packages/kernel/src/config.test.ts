/** Invalid settings: each stops the start with one line about the variable and its valid values. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  allowedAddressesOf,
  blobOptionsOf,
  blobSettings,
  commonSettings,
  databaseUrlOf,
  outboundSettings,
  readCommonConfig,
  redisUrlOf,
  siteOf,
} from './config.js'
import { parseFaults } from './faults.js'
import { startHost } from './host.js'
import {
  address,
  blocks,
  bool,
  ConfigError,
  domain,
  domains,
  folder,
  int,
  oneOf,
  readConfig,
  type Setting,
  secret,
  serverUrl,
  text,
} from './settings.js'

const SECRET_KEY_BASE = 'x'.repeat(32)
const read = (env: Record<string, string>) => readCommonConfig({ SECRET_KEY_BASE, ...env })

test.each([
  ['MODE', 'strict', 'must be one of production, development, test \\(it is "strict"\\): '],
  ['LOCAL_DOMAIN', 'https://social.example', 'without https://'],
  ['LOCAL_DOMAIN', 'a b', 'must be a host name'],
  ['WEB_DOMAIN', 'social.example/path', 'must be a host name'],
  ['LOCAL_HTTPS', 'maybe', 'must be one of auto, true, false'],
  ['DATABASE_URL', 'mysql://x', 'postgres://'],
  ['DATABASE_URL', 'nonsense', 'postgres://'],
  ['NATS_URL', 'http://[', 'nats://'],
  ['REDIS_URL', 'localhost:6379', 'redis://'],
  ['LOCAL_DOMAIN', 'a.example:99999', 'must be a host name'],
  ['WEB_DOMAIN', '999.1.1.1', 'must be a host name'],
  ['DATABASE_URL', 'postgres://me:100%@host/db', 'write %25'],
  ['DATABASE_URL', 'postgres://a:1,postgres://b:2', 'postgres://'],
  ['REDIS_URL', 'redis://:100%@host', 'write %25'],
  ['REDIS_URL', 'redis://a:1,redis://b:2', 'redis://'],
  ['REDIS_URL', 'redis://a/main', 'by no number'],
  ['SOURCE_BASE_URL', 'https://code.example:99999', 'must be an address'],
  ['SOURCE_BASE_URL', 'https://code.example is here', 'must be an address'],
  ['SECRETS_DIR', '/dev/null', 'cannot be read'],
  ['DB_POOL', 'many', 'must be a whole number from 1 to 200'],
  ['DB_POOL', '0', 'must be a whole number from 1 to 200'],
  ['DB_POOL', '1.5', 'must be a whole number from 1 to 200'],
  ['SOCKETS_PER_ADDRESS', '0', 'must be a whole number, at least 1'],
  ['DATABASE_CONNECTIONS', '9'.repeat(30), 'must be a whole number, at least 0'],
  ['TEST_CLOCK_OFFSET_MS', 'soon', 'must be a whole number \\(it is'],
  ['PREPARED_STATEMENTS', 'maybe', 'must be true or false'],
  ['SECRET_KEY_BASE', 'short', 'at least 32 characters'],
  ['SECRET_KEY_BASE', '', 'is missing'],
  ['SECRET_KEY_BASE_PREVIOUS', 'short', 'is too short'],
  ['SECRET_KEY_BASE_PREVIOUS', SECRET_KEY_BASE, 'is SECRET_KEY_BASE itself'],
  ['HEALTH_PORT', '99999', 'must be a whole number from 0 to 65535'],
  ['SOURCE_BASE_URL', 'nonsense', 'must be an address'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'nonsense', 'must be an address'],
  ['FAULT_POINTS', 'a.b=exit', 'refuses to start'],
  ['TEST_CLOCK_OFFSET_MS', '5', 'refuses to start'],
  ['SECRETS_DIR', '/nonexistent', 'a folder that is not there'],
  ['NODE_TLS_REJECT_UNAUTHORIZED', '0', 'is 0'],
])('A192 D062 D064 %s=%s is refused in one line: %s', (name, value, text) => {
  const refused = () => read({ [name]: value })
  expect(refused).toThrow(ConfigError)
  expect(refused).toThrow(new RegExp(`^${name} .*${text.replace(/[/]/g, '\\/')}[^\n]*$`))
})

test('a delay that leaves no time to stop is refused in one line', () => {
  expect(() => read({ STOP_DELAY_SECONDS: '40', STOP_GRACE_SECONDS: '30' })).toThrow(
    new ConfigError(
      'STOP_DELAY_SECONDS is 40 and STOP_GRACE_SECONDS is 30: at least 5 seconds must be left after the delay.',
    ),
  )
  expect(() => read({ STOP_DELAY_SECONDS: '26', STOP_GRACE_SECONDS: '30' })).toThrow(/^STOP_DELAY_SECONDS is 26/)
  expect(read({ STOP_DELAY_SECONDS: '25', STOP_GRACE_SECONDS: '30' }).stopDelay).toBe(25)
  // The default of the delay, with the minimum of the grace.
  expect(read({ STOP_GRACE_SECONDS: '10' }).stopDelay).toBe(5)
})

test('an invalid configuration of the blob store is refused', () => {
  expect(() => blobOptionsOf(readConfig(blobSettings, { BLOB_DIR: '/dev/null/files' }))).toThrow(
    /^BLOB_DIR is no folder/,
  )
  expect(() => readConfig(blobSettings, { S3_ENDPOINT: 'nonsense' })).toThrow(/^S3_ENDPOINT must be an address/)
})

test.each([
  [text, '', 'X is missing: Said.'],
  [secret, '', 'X is missing: Said.'],
  [int, 'a', 'X must be a whole number, at least 0 (it is "a"): Said.'],
  [bool, 'a', 'X must be true or false (it is "a"): Said.'],
  [address, 'a', 'X must be an address such as https://social.example (it is "a"): Said.'],
  [domain, 'a/b', 'X must be a host name such as social.example, without https:// (it is "a/b"): Said.'],
  [domains, 'a/b', 'X must be host names, comma separated, without https:// (it is "a/b"): Said.'],
  [blocks, 'a', 'X must be blocks such as 127.0.0.0/8, comma separated (it is "a"): Said.'],
  [folder, '/nonexistent', 'X names a folder that is not there (it is "/nonexistent"): Said.'],
  [folder, '/etc/hostname/below', 'X names a folder that is not there (it is "/etc/hostname/below"): Said.'],
  [folder, '/dev/null', 'X names a folder that is not there (it is "/dev/null"): Said.'],
  [
    (env: string, more: { about: string }) => oneOf(env, ['b', 'c'], more),
    'a',
    'X must be one of b, c (it is "a"): Said.',
  ],
  [
    (env: string, more: { about: string }) => serverUrl(env, ['nats', 'tls'], more),
    'a',
    'X must be an address that begins with nats:// or tls://: Said.',
  ],
])('D062 each kind of setting is refused in a sentence of ours: %#', (kind, value, sentence) => {
  expect(() => readConfig({ x: kind('X', { about: 'Said.' }) as Setting<unknown> }, { X: value })).toThrow(
    new ConfigError(sentence),
  )
})

test('errors never contain secrets', () => {
  expect(() => read({ DATABASE_URL: 'mysql://me:hush@host/db', REDIS_URL: 'hush' })).toThrow(/^(?!.*hush)/s)
})

test('usual values of servers are accepted', () => {
  const config = read({
    LOCAL_DOMAIN: 'bücher.example',
    WEB_DOMAIN: '[::1]:3000',
    DATABASE_URL: 'postgresql:///murmuration?host=/run/postgresql',
    NATS_URL: 'nats://a:4222,tls://b:4222',
    REDIS_URL: 'rediss://user:pass@cache.example:6380/2',
  })
  expect(siteOf(config).origin).toBe('http://[::1]:3000')
})

test('handles of local accounts may have each domain of the server', () => {
  const config = read({
    LOCAL_DOMAIN: 'Bücher.example:3000',
    WEB_DOMAIN: 'web.example:443',
    ALTERNATE_DOMAINS: 'Old.example, [::1]:3000',
  })
  expect([...siteOf(config).handleDomains]).toEqual(['xn--bcher-kva.example', 'web.example', 'old.example'])
  expect([...siteOf(read({ LOCAL_DOMAIN: 'here.example' })).handleDomains]).toEqual(['here.example'])
})

test('lists and folders are validated too', () => {
  const dir = mkdtempSync(join(tmpdir(), 'config-'))
  const settings = {
    hosts: domains('HOSTS', { or: '', about: '' }),
    nets: blocks('NETS', { or: '', about: '' }),
    dir: folder('DIR', { or: '', about: '' }),
  }
  const good = { HOSTS: 'a.example, b.example:8443', NETS: '127.0.0.0/8, ::1/128', DIR: dir }
  expect(readConfig(settings, good)).toEqual({ hosts: good.HOSTS, nets: good.NETS, dir })
  expect(readConfig(settings, {})).toEqual({ hosts: '', nets: '', dir: '' })
  rmSync(dir, { recursive: true })
  expect(() => readConfig(settings, { HOSTS: 'https://a', NETS: '127.0.0.1', DIR: dir })).toThrow(
    /^HOSTS must be host names.*\nNETS must be blocks.*\nDIR names a folder that is not there/,
  )
  expect(() => blobOptionsOf(readConfig(blobSettings, { S3_ENABLED: 'true' }))).toThrow('S3_BUCKET is missing')
})

test.each(['999.0.0.0/8', '10.0.0.0/33', 'fd00::/129', 'abc/1'])(
  'the address block %s is refused in one line',
  (NETS) => {
    expect(() => readConfig({ nets: blocks('NETS', { or: '', about: '' }) }, { NETS })).toThrow(
      /^NETS must be blocks[^\n]*$/,
    )
  },
)

test.each(['/etc', '/dev/null', '/nonexistent'])('%s as EXTRA_CA_FILE is refused in one line', (EXTRA_CA_FILE) => {
  const { extraCaFile } = commonSettings
  expect(() => readConfig({ extraCaFile }, { EXTRA_CA_FILE })).toThrow(/^EXTRA_CA_FILE names no readable file[^\n]*$/)
})

test('the logins of one service are validated like the common ones, without printing them', () => {
  const config = read({})
  const statuses = (name: string, hush: string) => {
    const env = { [name]: hush }
    return () => [databaseUrlOf(config, 'statuses', env), redisUrlOf(config, 'cache', 'statuses', env)]
  }
  expect(statuses('STATUSES_DATABASE_URL', 'hush')).toThrow(
    new ConfigError('STATUSES_DATABASE_URL must be an address that begins with postgres:// or postgresql://.'),
  )
  expect(statuses('STATUSES_REDIS_URL', 'hush:6379')).toThrow(
    new ConfigError('STATUSES_REDIS_URL must be an address that begins with redis:// or rediss://.'),
  )
  expect(statuses('STATUSES_REDIS_CACHE_URL', 'redis://:hush%@a')).toThrow(
    new ConfigError('STATUSES_REDIS_CACHE_URL contains a % without two hexadecimal digits after it: write %25.'),
  )
  expect(statuses('STATUSES_REDIS_URL', 'redis://:hush@a')()[1]).toBe('redis://:hush@a')
})

test.each(['x', 'a.b=explode', 'a.b=exit@', 'a.b=sleep'])('FAULT_POINTS=%s is refused in one line', (spec) => {
  expect(() => parseFaults(spec)).toThrow(ConfigError)
  expect(() => parseFaults(spec)).toThrow(/^FAULT_POINTS: [^\n]*$/)
})

test('settings of services are validated before any connection', async () => {
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

test('private addresses can be allowed in test networks, and production does not start with them', () => {
  const read = (OUTBOUND_ALLOW_ADDRESSES: string) => readConfig(outboundSettings, { OUTBOUND_ALLOW_ADDRESSES })
  expect(allowedAddressesOf(read('127.0.0.0/8, fd00::/8'), 'test')).toEqual(['127.0.0.0/8', 'fd00::/8'])
  expect(allowedAddressesOf(read(''), 'production')).toEqual([])
  expect(() => allowedAddressesOf(read('10.0.0.0/8'), 'production')).toThrow('production reaches public addresses only')
  expect(() => read('everything')).toThrow(/^OUTBOUND_ALLOW_ADDRESSES must be blocks/)
})
