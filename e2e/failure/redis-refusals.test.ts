/** Redis refuses commands during operation: a failover makes it a replica, or its password or its users change. */
import { mkdtempSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRedis, type Redis, type RedisCommand } from '@murmuration/cache'
import { freePort } from '@murmuration/testkit'
import { createClient, type RedisClientType } from 'redis'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

const { startRedis } = await import(new URL('../../bin/lib/redis.mjs', import.meta.url).href)
const PASSWORD = 'first-password'
const SLOW = { timeout: 30_000, interval: 100 }

interface RedisServer {
  readonly port: number
  readonly admin: RedisClientType
  stop(): Promise<unknown>
}
const start = async (): Promise<RedisServer> => {
  const port = await freePort()
  const quiet = { hold: { remember: () => undefined, clear: () => undefined }, say: () => undefined }
  const dir = mkdtempSync(join(tmpdir(), 'redis-'))
  const { child } = await startRedis({ dir, port, password: PASSWORD, onStart: () => undefined, ...quiet })
  const admin: RedisClientType = createClient({ url: `redis://:${PASSWORD}@127.0.0.1:${port}` })
  await admin.connect()
  const stop = () => {
    admin.destroy()
    return child.stop()
  }
  return { port, admin, stop }
}

/** A fixed address whose new connections go to the current primary, like a Kubernetes Service. */
const openAddress = async (first: number) => {
  let target = first
  const sockets = new Set<Socket>()
  const server: Server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.pipe(to)
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroy())
    }
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()))
  return {
    port,
    leadTo: (to: number) => {
      target = to
    },
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

let one: RedisServer
let two: RedisServer
const opened: Redis[] = []
const USUAL: readonly RedisCommand[] = ['eval', 'get']
const open = async (login: string, port: number, commands = USUAL): Promise<Redis> => {
  const redis = await openRedis({
    url: `redis://${login}@127.0.0.1:${port}`,
    name: 'test',
    // Long, so that delays of a busy machine do not count as an unavailable Redis.
    timeoutMs: 5_000,
    probe: { writes: 'test:probe', reads: [], commands },
  })
  opened.push(redis)
  return redis
}
const write = (redis: Redis) => redis.withFallback((client) => client.set('test:key', 'x'), 'elsewhere')
const read = (redis: Redis) => redis.withFallback((client) => client.get('test:key'), 'elsewhere')
const state = async (redis: Redis) => {
  await redis.healthy()
  return redis.refusal()?.split(' ')[0] ?? null
}

beforeAll(async () => {
  ;[one, two] = [await start(), await start()]
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((redis) => redis.close()))
})
afterAll(async () => {
  await Promise.all([one.stop(), two.stop()])
})

test('READONLY: a primary that became a replica is reported as the reason, and is used again as a primary', async () => {
  const redis = await open(`:${PASSWORD}`, one.port)
  expect([await write(redis), await state(redis)]).toEqual(['OK', null])
  await one.admin.sendCommand(['REPLICAOF', '127.0.0.1', String(two.port)])
  expect(await write(redis)).toBe('elsewhere')
  expect(await state(redis)).toBe('READONLY')
  await one.admin.sendCommand(['REPLICAOF', 'NO', 'ONE'])
  await expect.poll(() => write(redis), SLOW).toBe('OK')
  await expect.poll(() => state(redis), SLOW).toBe(null)
})

test('READONLY: after a failover behind one address, the client connects to the new primary', async () => {
  const address = await openAddress(one.port)
  const redis = await open(`:${PASSWORD}`, address.port)
  expect(await write(redis)).toBe('OK')
  await one.admin.sendCommand(['REPLICAOF', '127.0.0.1', String(two.port)])
  address.leadTo(two.port)
  try {
    await expect.poll(() => write(redis), SLOW).toBe('OK')
  } finally {
    await one.admin.sendCommand(['REPLICAOF', 'NO', 'ONE'])
  }
  await expect.poll(() => state(redis), SLOW).toBe(null)
  expect(await two.admin.get('test:key')).toBe('x')
  address.close()
})

test('WRONGPASS: a changed password is reported as the reason, and Redis is used again when it is changed back', async () => {
  await one.admin.sendCommand(['ACL', 'SETUSER', 'media', 'on', '>old', '~test:*', '+@all'])
  const redis = await open('media:old', one.port)
  await one.admin.sendCommand(['ACL', 'SETUSER', 'media', 'resetpass', '>new'])
  // Redis keeps authenticated connections. It requires the password on new ones.
  expect([await write(redis), await state(redis)]).toEqual(['OK', null])
  await one.admin.sendCommand(['CLIENT', 'KILL', 'USER', 'media'])
  await expect.poll(() => state(redis), SLOW).toBe('WRONGPASS')
  expect([await write(redis), await read(redis)]).toEqual(['elsewhere', 'elsewhere'])
  await one.admin.sendCommand(['ACL', 'SETUSER', 'media', 'resetpass', '>old'])
  await expect.poll(() => write(redis), SLOW).toBe('OK')
  expect(await state(redis)).toBe(null)
})

test('WRONGPASS: a deleted user is reported as the reason, and Redis is used again when the user exists', async () => {
  await one.admin.sendCommand(['ACL', 'SETUSER', 'gone', 'on', '>old', '~test:*', '+@all'])
  const redis = await open('gone:old', one.port)
  expect(await write(redis)).toBe('OK')
  await one.admin.sendCommand(['ACL', 'DELUSER', 'gone'])
  await expect.poll(() => state(redis), SLOW).toBe('WRONGPASS')
  expect(await write(redis)).toBe('elsewhere')
  await one.admin.sendCommand(['ACL', 'SETUSER', 'gone', 'on', '>old', '~test:*', '+@all'])
  await expect.poll(() => write(redis), SLOW).toBe('OK')
})

test('NOAUTH: a newly required password is reported as the reason, and Redis is used again when it is removed', async () => {
  await two.admin.sendCommand(['CONFIG', 'SET', 'requirepass', ''])
  const redis = await open('', two.port)
  expect([await write(redis), await state(redis)]).toEqual(['OK', null])
  await two.admin.sendCommand(['CONFIG', 'SET', 'requirepass', PASSWORD])
  await two.admin.sendCommand(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'])
  await expect.poll(() => state(redis), SLOW).toBe('NOAUTH')
  expect(await write(redis)).toBe('elsewhere')
  await two.admin.sendCommand(['CONFIG', 'SET', 'requirepass', ''])
  await expect.poll(() => write(redis), SLOW).toBe('OK')
  await expect.poll(() => state(redis), SLOW).toBe(null)
  await two.admin.sendCommand(['CONFIG', 'SET', 'requirepass', PASSWORD])
})

test('NOPERM: the rules of an earlier release without `get` are reported as the reason at once', async () => {
  await one.admin.sendCommand(['ACL', 'SETUSER', 'earlier', 'on', '>old', '~test:*', '+@all', '-get'])
  const redis = await open('earlier:old', one.port)
  expect(await state(redis)).toBe('NOPERM')
  expect(redis.refusal()).toContain("'get'")
})

test.each<RedisCommand>([
  'get',
  'mget',
  'incrby',
  'setex',
  'expire',
  'pexpire',
  'eval',
  'sadd',
  'scard',
  'zadd',
  'zcard',
  'zmscore',
  'zrange',
  'zrem',
  'zremrangebyrank',
  'zremrangebyscore',
  'zscore',
  'del',
])('NOPERM: rules without the command `%s` are reported at the start, if the service uses it', async (command) => {
  await one.admin.sendCommand(['ACL', 'SETUSER', 'partly', 'reset', 'on', '>old', '~test:*', '+@all', `-${command}`])
  const without = await open('partly:old', one.port, [])
  expect(await state(without)).toBe(null)
  const redis = await open('partly:old', one.port, [command])
  expect(await state(redis)).toBe('NOPERM')
  expect(redis.refusal()).toContain(`'${command}'`)
})

test('the probe of all commands succeeds with permission, and leaves no key', async () => {
  await one.admin.sendCommand(['ACL', 'SETUSER', 'whole', 'reset', 'on', '>old', '~test:*', '+@all'])
  const commands: RedisCommand[] = ['get', 'mget', 'incrby', 'setex', 'expire', 'pexpire', 'eval', 'sadd', 'scard']
  const ofSorted: RedisCommand[] = ['zadd', 'zcard', 'zmscore', 'zrange', 'zrem', 'zremrangebyrank', 'zscore']
  const redis = await open('whole:old', one.port, [...commands, ...ofSorted, 'zremrangebyscore', 'del'])
  const errors = async () => (await one.admin.info('errorstats')).match(/errorstat_(?!NOPERM|WRONGPASS|NOAUTH)\w+/g)
  const before = await errors()
  expect(await state(redis)).toBe(null)
  expect([await errors(), await one.admin.keys('test:probe*')]).toEqual([before, []])
})

test('a refused pipeline returns the fallback, and the refusal is reported', async () => {
  const redis = await open(`:${PASSWORD}`, one.port)
  await one.admin.sendCommand(['REPLICAOF', '127.0.0.1', String(two.port)])
  const pipeline = () =>
    redis.withFallback<unknown>(
      (client) => client.multi().set('test:key', 'y').get('test:key').execAsPipeline(),
      'elsewhere',
    )
  expect(await pipeline()).toBe('elsewhere')
  expect(await state(redis)).toBe('READONLY')
  await one.admin.sendCommand(['REPLICAOF', 'NO', 'ONE'])
  await expect.poll(() => write(redis), SLOW).toBe('OK')
})
