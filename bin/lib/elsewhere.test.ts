/** Servers of the operator's own are looked at before anything starts. */
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { lookElsewhere } from './elsewhere.mjs'

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
    'NATS does not answer at NATS_URL (127.0.0.1:1): start it there, or leave NATS_URL out to have one brought up.',
  ],
])('%s=%s stops the start with one sentence', async (name, value, sentence) => {
  await expect(lookElsewhere({ [name]: value })).rejects.toThrow(sentence)
})

test('one of several servers is enough, and sockets of the file system are left to the client', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  await lookElsewhere({ NATS_URL: `nats://127.0.0.1:1,nats://127.0.0.1:${port}`, DATABASE_URL: 'postgresql:///birds' })
  server.close()
  await lookElsewhere({})
})
