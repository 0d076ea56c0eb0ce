/** Addresses of servers that the operator runs are checked before the start. */
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { checkOperatorStores } from './operator-stores.mjs'

test.each([
  [
    'DATABASE_URL',
    'nonsense',
    'DATABASE_URL is no address of PostgreSQL: it must begin with postgres:// or postgresql://.',
  ],
  ['REDIS_URL', 'localhost:6379', 'REDIS_URL is no address of Redis: it must begin with redis:// or rediss://.'],
  [
    'NATS_URL',
    'nats://127.0.0.1:1',
    'NATS does not respond at NATS_URL (127.0.0.1:1): start it there, or leave NATS_URL out to have one brought up.',
  ],
])('%s=%s stops the start with one sentence', async (name, value, sentence) => {
  await expect(checkOperatorStores({ [name]: value })).rejects.toThrow(sentence)
})

test('one reachable server of several suffices, and Unix sockets are not checked', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  await checkOperatorStores({
    NATS_URL: `nats://127.0.0.1:1,nats://127.0.0.1:${port}`,
    DATABASE_URL: 'postgresql:///birds',
  })
  server.close()
  await checkOperatorStores({})
})
