/** Ports of tests: unique, and reserved until the process ends. */
import { createSocket } from 'node:dgram'
import { expect, test } from 'vitest'
import { freePort } from './nats-server.js'

test('no port is returned twice, also not in another process', async () => {
  const ports = await Promise.all(Array.from({ length: 100 }, freePort))
  expect(new Set(ports).size).toBe(100)
  const sign = createSocket('udp4')
  const taken = new Promise((resolve) => sign.once('error', resolve))
  sign.bind({ port: ports[0], address: '127.0.0.1', exclusive: true })
  expect(await taken).toMatchObject({ code: 'EADDRINUSE' })
  sign.close()
})
