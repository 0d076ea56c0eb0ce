/** Choice of ports: the same after a restart, and never a used one. */
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { choosePorts } from './ports.mjs'

const freshFolder = () => mkdtempSync(join(tmpdir(), 'ports-'))

async function takenPort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, free: () => server.close() }
}

test('the ports of the previous start are chosen again, and all differ', async () => {
  const dir = freshFolder()
  const first = await choosePorts(dir, ['pg', 'nats', 'redis'])
  expect(new Set(Object.values(first)).size).toBe(3)
  expect(await choosePorts(dir, ['pg', 'nats', 'redis'])).toEqual(first)
})

test('a port that another process uses meanwhile is replaced', async () => {
  const dir = freshFolder()
  const taken = await takenPort()
  writeFileSync(join(dir, 'ports.json'), JSON.stringify({ pg: taken.port, nats: 'nonsense' }))
  const chosen = await choosePorts(dir, ['pg', 'nats'])
  expect(chosen.pg).not.toBe(taken.port)
  expect(chosen.nats).toBeTypeOf('number')
  taken.free()
})

test('a required port in use is refused with its name', async () => {
  const taken = await takenPort()
  const asked = choosePorts(freshFolder(), ['pg'], { pg: taken.port })
  await expect(asked).rejects.toThrow(`Port ${taken.port} (pg) is taken by another program`)
  taken.free()
})
