/** EXTRA_CA_FILE: every TLS client of the process trusts its authorities, and its start refuses what is no certificate. */
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { createAuthority } from '@murmuration/testkit/outside/certificate-authority'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { trustAuthorities } from './authorities.js'

const dir = mkdtempSync(join(tmpdir(), 'authorities-'))
const [first, second, third] = [createAuthority('first'), createAuthority('second'), createAuthority('third')]
const servers: { close(): unknown; port: number }[] = []
beforeAll(async () => {
  for (const authority of [first, second, third]) {
    const server = createServer(authority.issue(['localhost']), (_req, res) => res.end('hello'))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    servers.push({ close: () => server.close(), port: (server.address() as AddressInfo).port })
  }
})
afterAll(() => {
  for (const server of servers) server.close()
  rmSync(dir, { recursive: true })
})

/** Result of a TLS connection as the clients of PostgreSQL, NATS, Redis and mail servers open it. */
const connected = (port: number): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', servername: 'localhost' }, () => {
      socket.destroy()
      resolve('trusted')
    })
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'failed'))
  })
const fetched = (port: number): Promise<string> =>
  fetch(`https://localhost:${port}/`).then(
    (response) => response.text(),
    (error: Error & { cause?: NodeJS.ErrnoException }) => error.cause?.code ?? 'failed',
  )
const UNKNOWN = 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'

test('all authorities of the file are trusted, besides the public ones', async () => {
  for (const { port } of servers) expect([await connected(port), await fetched(port)]).toEqual([UNKNOWN, UNKNOWN])
  const extraCaFile = join(dir, 'authorities.pem')
  writeFileSync(extraCaFile, `two authorities\n${first.certificate}\n${second.certificate}`)
  trustAuthorities({ extraCaFile })
  for (const { port } of servers.slice(0, 2))
    expect([await connected(port), await fetched(port)]).toEqual(['trusted', 'hello'])
  const unknown = servers[2]?.port ?? 0
  expect([await connected(unknown), await fetched(unknown)]).toEqual([UNKNOWN, UNKNOWN])
})

test('without a file nothing changes, and a broken certificate is refused in one line', () => {
  trustAuthorities({ extraCaFile: '' })
  const extraCaFile = join(dir, 'broken.pem')
  writeFileSync(extraCaFile, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n')
  expect(() => trustAuthorities({ extraCaFile })).toThrow(
    /^EXTRA_CA_FILE contains a certificate that cannot be read: [^\n]+$/,
  )
})
