/** Deliveries to a host whose name temporarily resolves to a refused address, and to a URL with a refused address. */
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256Base64 } from '@murmuration/activitypub/signatures/digest'
import { createOutbound } from '@murmuration/outbound'
import { makeRsaKeys } from '@murmuration/testkit/outside/remote-actor'
import { serve, type WebServer } from '@murmuration/testkit/outside/web-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { classifyResponse } from './result.rules.js'
import { deliver } from './send.client.js'

let dir = ''
let server: WebServer
let privateKey: KeyObject
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'deliver-test-'))
  server = await serve(() => ({ status: 202 }))
  privateKey = createPrivateKey((await makeRsaKeys()).privateKey)
})
afterAll(async () => {
  await server.close()
  await rm(dir, { recursive: true })
})

test('a delivery is retried and counts against the host while its name has a private address', async () => {
  const hostsFile = join(dir, 'hosts')
  let now = Date.now()
  const outbound = createOutbound({
    userAgent: 'test',
    mode: 'test',
    onRefused: () => undefined,
    allowHttp: true,
    allowPrivate: true,
    allowAddresses: ['127.0.0.1/32'],
    clock: { now: () => now },
    dns: { hostsFile },
  })
  const port = new URL(server.origin).port
  const body = Buffer.from('{}')
  const post = async (host: string) => {
    const posted = await deliver(
      outbound,
      {
        url: `http://${host}:${port}/inbox`,
        body,
        sha256: sha256Base64(body),
        keyId: 'https://here.example/a#main-key',
        privateKey,
        synchronisation: null,
        scheme: 'cavage',
        timeoutMs: 5_000,
      },
      () => now,
    )
    return classifyResponse(posted.response, now)
  }
  await writeFile(hostsFile, '10.0.0.9 remote.example\n')
  expect(await post('remote.example')).toMatchObject({
    kind: 'later',
    silent: true,
    max: null,
    why: 'forbidden_address',
  })
  expect(await post('10.0.0.9')).toMatchObject({ kind: 'refused', why: 'forbidden_address' })
  now += 2_000
  await writeFile(hostsFile, '127.0.0.1 remote.example # moved back\n')
  expect(await post('remote.example')).toEqual({ kind: 'delivered', status: 202 })
  await outbound.close()
})
