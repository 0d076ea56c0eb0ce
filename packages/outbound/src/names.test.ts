/** DNS lookups with a real name server that can fail, send many addresses, or not respond. */

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refusal } from '../test/harness.js'
import { type NameServer, type Reply, startNameServer } from '../test/name-server.js'
import { createNames } from './names.js'

const replies = new Map<string, Reply>()
const folder = mkdtempSync(join(tmpdir(), 'names-'))
const hostsFile = join(folder, 'hosts')
let server: NameServer
let clock = 0

beforeAll(async () => {
  server = await startNameServer((name) => (name.startsWith('silent') ? 'silent' : (replies.get(name) ?? 'nxdomain')))
  writeFileSync(hostsFile, '127.77.0.5 listed.example\n')
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const newNames = () => createNames(() => clock, { servers: [server.address], hostsFile })

test('addresses of both families are found', async () => {
  replies.set('both.example', { addresses: ['127.77.0.1', '2606:4700::1'] })
  expect([...(await newNames()('both.example'))].sort()).toEqual(['127.77.0.1', '2606:4700::1'])
})

test('the hosts file takes precedence over the name servers', async () => {
  replies.set('listed.example', { addresses: ['1.1.1.1'] })
  expect(await newNames()('listed.example')).toEqual(['127.77.0.5'])
  expect(server.questions.has('listed.example')).toBe(false)
})

test('equal queries share one lookup, and the result is cached for its TTL, at most 60 s', async () => {
  replies.set('kept.example', { addresses: ['127.77.0.1'], ttl: 86_400 })
  const names = newNames()
  await Promise.all(Array.from({ length: 20 }, () => names('kept.example')))
  clock += 59_000
  await names('kept.example')
  expect(server.questions.get('kept.example')).toBe(1)
  clock += 2_000
  await names('kept.example')
  expect(server.questions.get('kept.example')).toBe(2)
})

test('a short time to live is honoured', async () => {
  replies.set('short.example', { addresses: ['127.77.0.1'], ttl: 5 })
  const names = newNames()
  await names('short.example')
  clock += 5_001
  await names('short.example')
  expect(server.questions.get('short.example')).toBe(2)
})

test.each(['nxdomain', 'servfail'] as const)('F051 %s is a retryable dns error, remembered for 30 s', async (reply) => {
  const name = `${reply}.example`
  replies.set(name, reply)
  const names = newNames()
  expect(await refusal(names(name))).toMatchObject({ code: 'dns', retryable: true })
  const asked = server.questions.get(name)
  clock += 29_000
  await refusal(names(name))
  expect(server.questions.get(name)).toBe(asked)
  clock += 2_000
  replies.set(name, { addresses: ['127.77.0.1'] })
  expect(await names(name)).toEqual(['127.77.0.1'])
})

test('F051 a response with a thousand addresses is complete, so that each can be checked', async () => {
  const addresses = Array.from({ length: 1_000 }, (_, i) => `127.77.${i >> 8}.${i & 255}`)
  replies.set('many.example', { addresses })
  expect(await newNames()('many.example')).toHaveLength(1_000)
})

test('F051 120 lookups without a response end within 5 s, and delay neither other names nor the thread pool', async () => {
  replies.set('healthy.example', { addresses: ['127.77.0.1'] })
  const names = newNames()
  let over = 0
  const silent = Array.from({ length: 120 }, (_, i) => refusal(names(`silent${i}.example`)).finally(() => over++))
  expect(await names('healthy.example')).toEqual(['127.77.0.1'])
  await Promise.all([readFile(hostsFile), new Promise((resolve) => randomBytes(1024, resolve))])
  // All of them still wait, so neither another name nor the pool had to wait for them.
  expect(over).toBe(0)
  const errors = await Promise.all(silent)
  expect(errors.every((error) => error.code === 'dns' && error.retryable)).toBe(true)
})

test('names that only the system resolves are found with getaddrinfo', async () => {
  expect(await createNames(Date.now, { hostsFile: join(folder, 'absent') })('localhost')).toContain('127.0.0.1')
})
