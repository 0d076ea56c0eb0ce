/** The login of a service is sent only to the bus of its address, over TLS if the address requires it (A180). */
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import { startNats } from '@murmuration/testkit'
import { type Certificate, createAuthority } from '@murmuration/testkit/outside/certificate-authority'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectBus } from '../src/index.js'

const trusted = createAuthority()
const unknown = createAuthority()
const usual = tls.getCACertificates('default')
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bus-tls-'))
  tls.setDefaultCACertificates([...usual, trusted.certificate])
})
afterAll(async () => {
  tls.setDefaultCACertificates(usual)
  await rm(folder, { recursive: true, force: true })
})

const connect = (port: number, host = 'localhost') =>
  connectBus({ url: `tls://${host}:${port}`, service: 'accounts', name: 'test', password: 'the password' })

/** Starts a fake NATS server that records received data. */
const impostor = async (certificate: Certificate | null) => {
  const heard: string[] = []
  let visits = 0
  const open = new Set<Socket>()
  const listen = (socket: Socket | tls.TLSSocket) =>
    socket.on('data', (chunk) => heard.push(String(chunk))).on('error', () => undefined)
  const server: Server = createServer((socket) => {
    visits++
    open.add(socket.on('close', () => open.delete(socket)).on('error', () => undefined))
    const info = { server_id: 'x', version: '2.11.6', proto: 1, max_payload: 1_048_576, headers: true }
    socket.write(`INFO ${JSON.stringify({ ...info, tls_required: certificate !== null })}\r\n`)
    listen(certificate ? new tls.TLSSocket(socket, { isServer: true, ...certificate }) : socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    heard,
    visits: () => visits,
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

test('A180 a bus with a certificate of a trusted authority for its name is used', async () => {
  const { key, cert } = trusted.issue(['localhost'])
  await writeFile(join(folder, 'key.pem'), key)
  await writeFile(join(folder, 'cert.pem'), cert)
  const nats = await startNats(
    `tls { cert_file: "${folder}/cert.pem", key_file: "${folder}/key.pem" }
     authorization { user: accounts, password: "the password" }`,
  )
  const nc = await connect(Number(new URL(nats.url).port))
  expect(nc.info?.tls_required).toBe(true)
  await nc.close()
  await nats.stop()
})

test.each([
  ['by an unknown authority', unknown.issue(['localhost'])],
  ['for another name', trusted.issue(['elsewhere.example'])],
  ['that ran out', trusted.issue(['localhost'], { from: new Date(0), until: new Date(86_400_000) })],
  ['at all missing: one that says it does no TLS', null],
])('A180 a certificate %s: the login is not told, however often it is tried', async (_what, certificate) => {
  const server = await impostor(certificate)
  let connected = false
  // The client retries until a trusted server replaces the other one.
  const waiting = connect(server.port).then((nc) => {
    connected = true
    return nc
  })
  await expect.poll(server.visits).toBeGreaterThan(2)
  expect([connected, server.heard.join('')]).toEqual([false, ''])
  const { port } = server
  await server.close()
  const { key, cert } = trusted.issue(['localhost'])
  await writeFile(join(folder, 'key.pem'), key)
  await writeFile(join(folder, 'cert.pem'), cert)
  const nats = await startNats(
    `tls { cert_file: "${folder}/cert.pem", key_file: "${folder}/key.pem" }
     authorization { user: accounts, password: "the password" }`,
    port,
  )
  await (await waiting).close()
  await nats.stop()
})
