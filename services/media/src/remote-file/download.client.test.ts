/** Tests of downloads, and of the trouble of a host that a failed one reports. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import { isTrouble } from '@murmuration/contracts/kit'
import type { OutboundOptions } from '@murmuration/outbound'
import { createAuthority } from '@murmuration/testkit/outside/certificate-authority'
import { serve, type WebServer } from '@murmuration/testkit/outside/web-server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { Deferred } from '../core/remote-file/retry.rules.js'
import { createDownloads, type Downloads, hostFailureOf } from './download.client.js'

let dir: string
let server: WebServer
let made = 0
/** Number of requests that get no response. */
let hung = 0
const options: OutboundOptions = {
  userAgent: 'test',
  mode: 'test',
  onRefused: () => undefined,
  allowHttp: true,
  allowPrivate: true,
  allowAddresses: ['127.0.0.1/32'],
}
const downloads = createDownloads(options)
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'download-test-'))
  server = await serve(({ path }, { request, response }) => {
    if (path === '/reset') request.socket.resetAndDestroy()
    else if (path === '/cut') {
      response.writeHead(200, { 'content-length': 9_000 }).write('a beginning')
      setTimeout(() => request.socket.resetAndDestroy(), 100)
    } else if (path === '/hang') hung++
    else
      return {
        status: Number(path.slice(1)),
        headers: { 'retry-after': path === '/503' ? '90' : 'soon', location: '/404' },
      }
    return undefined
  })
})
afterAll(async () => {
  await downloads.close()
  await server.close()
  await rm(dir, { recursive: true })
})

const fetch = (path: string, by = downloads) =>
  by
    .fetch(`${server.origin}${path}`, join(dir, String(++made)), {
      maxBytes: 10_000,
      mayFetch: () => true,
      mayRequest: async () => true,
    })
    .catch((error: unknown) => error)

test('delivery 5 a host that does not respond is silent, and one that responds is not, also if the file is truncated', async () => {
  expect(hostFailureOf(await fetch('/reset'))).toMatchObject({ silent: true, retryAfterMs: null })
  const cut = await fetch('/cut')
  expect([cut, hostFailureOf(cut)]).toEqual([expect.objectContaining({ code: 'unavailable' }), null])
})

test('a file with http is requested with https, unless the client allows http', async () => {
  const authority = createAuthority()
  const usual = tls.getCACertificates('default')
  tls.setDefaultCACertificates([...usual, authority.certificate])
  const paths: string[] = []
  const secure = await serve(
    ({ path }) => {
      paths.push(path)
      return { status: 200, body: 'a file' }
    },
    { tls: authority.issue(['127.0.0.1']) },
  )
  const strict = createDownloads({ ...options, allowHttp: false })
  const from = (by: Downloads, url: string) => {
    const path = join(dir, String(++made))
    return by
      .fetch(url, path, { maxBytes: 10_000, mayFetch: () => true, mayRequest: async () => true })
      .then(() => readFile(path, 'utf8'))
  }
  try {
    const plain = secure.origin.replace('https:', 'http:')
    expect([await from(strict, `${plain}/1`), await from(strict, `${secure.origin}/2`)]).toEqual(['a file', 'a file'])
    await expect(from(downloads, `${plain}/3`)).rejects.toMatchObject({ code: 'unavailable' })
    expect(paths).toEqual(['/1', '/2'])
  } finally {
    tls.setDefaultCACertificates(usual)
    await strict.close()
    await secure.close()
  }
})

test('a name with a private address is a silent host and retried, and a private address in the URL is a final error', async () => {
  const hostsFile = join(dir, 'hosts')
  await writeFile(hostsFile, '10.0.0.9 files.example\n')
  const named = createDownloads({ ...options, dns: { hostsFile } })
  const from = (url: string) =>
    named
      .fetch(url, join(dir, String(++made)), { maxBytes: 10_000, mayFetch: () => true, mayRequest: async () => true })
      .catch((error: unknown) => error)
  const later = await from('http://files.example/1')
  expect([later, hostFailureOf(later)]).toMatchObject([
    { code: 'unavailable' },
    { host: 'files.example', silent: true },
  ])
  expect(await from('http://10.0.0.9/1')).toMatchObject({ code: 'not_found' })
  await named.close()
})

test('delivery 5 a host whose request was not sent yet is not silent', async () => {
  const patience = 12_345
  const ends: (() => void)[] = []
  const wait = globalThis.setTimeout
  const timers = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, ms?: number) => {
    if (ms === patience) ends.push(work)
    return wait(ms === patience ? () => undefined : work, ms)
  }) as typeof setTimeout)
  const one = createDownloads({ ...options, maxInFlight: 1 }, patience)
  const firstly = fetch('/hang', one)
  await expect.poll(() => hung).toBe(1)
  const secondly = fetch('/hang', one)
  await expect.poll(() => ends.length).toBe(2)
  // The time of the second request ends while the first one uses the only slot.
  ends[1]?.()
  const second = await secondly
  ends[0]?.()
  const first = await firstly
  timers.mockRestore()
  expect(hung).toBe(1)
  expect(hostFailureOf(first)).toMatchObject({ silent: true })
  expect([isTrouble(first), isTrouble(second), hostFailureOf(second)]).toEqual([false, true, null])
  const closing = createDownloads(options)
  await fetch('/404', closing)
  await closing.close()
  expect(hostFailureOf(await fetch('/404', closing))).toBeNull()
})

test('delivery 6 a host over its limit gets no request until the next minute, also after a redirect', async () => {
  const now = Date.now()
  const fetched = (path: string, mayRequest: (host: string) => Promise<boolean>) =>
    downloads
      .fetch(`${server.origin}${path}`, join(dir, String(++made)), { maxBytes: 10, mayFetch: () => true, mayRequest })
      .catch((error: unknown) => error)
  const held = await fetched('/503', async () => false)
  expect(held).toBeInstanceOf(Deferred)
  expect((held as Deferred).until - now).toBeLessThanOrEqual(60_000)
  const hosts: string[] = []
  const moved = await fetched('/302', async (host) => hosts.push(host) < 2)
  expect([moved, hostFailureOf(moved)]).toEqual([expect.objectContaining({ code: 'unavailable' }), null])
  expect(hosts).toEqual([new URL(server.origin).host, new URL(server.origin).host])
})

test('delivery 4 a requested pause is reported, and an absent file reports no trouble of its host', async () => {
  expect(hostFailureOf(await fetch('/503'))).toMatchObject({ silent: false, retryAfterMs: 90_000 })
  expect(hostFailureOf(await fetch('/429'))).toMatchObject({ silent: false, retryAfterMs: null })
  const gone = await fetch('/404')
  expect([gone, hostFailureOf(gone)]).toEqual([expect.objectContaining({ code: 'not_found' }), null])
})
