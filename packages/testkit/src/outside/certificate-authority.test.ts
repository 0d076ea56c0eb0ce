// Certificates of the test authority, as Node's TLS sees them.
import { X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAuthority } from './certificate-authority.js'
import { request } from './http-client.js'
import { serve, type WebServer } from './web-server.js'

const authority = createAuthority()
const day = 86_400_000
const open: WebServer[] = []
let good: WebServer

beforeAll(async () => {
  good = await serveWith(authority.issue(['remote.example', '*.files.example', '127.0.0.1']))
})
afterAll(() => Promise.all(open.map((server) => server.close())))

const serveWith = async (tls: { key: string; cert: string }) => {
  const server = await serve(() => ({ status: 200, body: 'secure' }), { tls })
  open.push(server)
  return server
}
const sendRequest = (server: WebServer, name: string, ca = authority.certificate) =>
  request(`https://${name}:${server.port}/`, { ca, connectTo: { host: '127.0.0.1', port: server.port } })

test('a name, a wildcard and an address of the certificate are trusted', async () => {
  expect((await sendRequest(good, 'remote.example')).text).toBe('secure')
  expect((await sendRequest(good, 'a.files.example')).text).toBe('secure')
  expect((await request(`https://127.0.0.1:${good.port}/`, { ca: authority.certificate })).text).toBe('secure')
})

test('F049 another name, another authority, an expired and a future certificate are refused', async () => {
  await expect(sendRequest(good, 'other.example')).rejects.toThrow(/altnames/)
  await expect(sendRequest(good, 'remote.example', createAuthority().certificate)).rejects.toThrow(
    /certificate|issuer|signature/,
  )
  const past = { from: new Date(Date.now() - 3 * day), until: new Date(Date.now() - day) }
  const expired = await serveWith(authority.issue(['remote.example'], past))
  await expect(sendRequest(expired, 'remote.example')).rejects.toThrow('expired')
  const future = await serveWith(authority.issue(['remote.example'], { from: new Date(Date.now() + day) }))
  await expect(sendRequest(future, 'remote.example')).rejects.toThrow('not yet valid')
})

test('root and leaf follow RFC 5280', () => {
  const root = new X509Certificate(authority.certificate)
  const leaf = new X509Certificate(authority.issue(['a.example', '45.60.1.1']).cert)
  expect([root.ca, leaf.ca]).toEqual([true, false])
  expect(leaf.checkIssued(root) && leaf.verify(root.publicKey)).toBe(true)
  expect(leaf.subjectAltName).toBe('DNS:a.example, IP Address:45.60.1.1')
  expect(leaf.serialNumber).not.toBe(root.serialNumber)
  expect(() => authority.issue([])).toThrow('at least one name')
})
