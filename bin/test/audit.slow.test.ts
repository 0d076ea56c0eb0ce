/** The audit of the packages of the product, with a test registry that reports vulnerabilities (D088). */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repository } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'

const advisory = (severity: string, id: string) => ({
  id: Buffer.from(`${id}${severity}`).reduce((sum, byte) => sum * 7 + byte, 0) % 1_000_000,
  url: `https://github.com/advisories/${id}`,
  title: 'Something grave',
  severity,
  vulnerable_versions: '<999',
  cwe: [],
  cvss: { score: 9, vectorString: '' },
})
let known: Record<string, unknown[]> | null = {}
let registry: Server
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audit-'))
  registry = createServer((request, response) => {
    request.resume().on('end', () => {
      const isQuestion = request.url === '/-/npm/v1/security/advisories/bulk'
      response.writeHead(isQuestion && known ? 200 : 404, { 'content-type': 'application/json' })
      response.end(JSON.stringify(isQuestion && known ? known : {}))
    })
  }).listen(0, '127.0.0.1')
  await once(registry, 'listening')
})
afterAll(async () => {
  registry.closeAllConnections()
  registry.close()
  await rm(folder, { recursive: true, force: true })
})

const audit = async (waivers: unknown[] = []) => {
  const file = join(folder, 'waivers.json')
  await writeFile(file, JSON.stringify(waivers))
  const address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`
  const child = spawn(process.execPath, [join(repository(), 'bin/audit.mjs')], {
    env: {
      ...process.env,
      npm_config_registry: address,
      npm_config_cache: folder,
      npm_config_fetch_retries: '0',
      AUDIT_WAIVERS: file,
    },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  const [code] = (await once(child, 'close')) as [number]
  return { code, said }
}

test('D088 no vulnerability, or only ones of low severity, pass', async () => {
  known = {}
  expect(await audit()).toMatchObject({ code: 0, said: expect.stringContaining('nothing is known') })
  known = { undici: [advisory('moderate', 'GHSA-m')] }
  expect(await audit()).toMatchObject({ code: 0, said: expect.stringContaining('moderate: undici') })
})

test('D088 severity high or critical fails without a waiver that has an end date and a reason', async () => {
  for (const severity of ['high', 'critical']) {
    known = { undici: [advisory(severity, 'GHSA-x')] }
    expect(await audit()).toMatchObject({ code: 1, said: expect.stringContaining('undici: Something grave') })
    expect((await audit([{ advisory: 'GHSA-x', until: '2999-01-01', reason: 'not reached' }])).code).toBe(0)
    expect((await audit([{ advisory: 'GHSA-y', until: '2999-01-01', reason: 'another' }])).code).toBe(1)
    expect(await audit([{ advisory: 'GHSA-x', until: '2020-01-01', reason: 'long ago' }])).toMatchObject({
      code: 1,
      said: expect.stringContaining('ended on 2020-01-01'),
    })
    expect((await audit([{ advisory: 'GHSA-x', until: '2999-01-01' }])).code).toBe(1)
  }
})

test('D088 vulnerabilities of development dependencies are ignored', async () => {
  known = { vitest: [advisory('critical', 'GHSA-d')] }
  expect((await audit()).code).toBe(0)
})

test('D088 a registry that does not respond causes a visible warning', async () => {
  known = null
  expect(await audit()).toMatchObject({ code: 0, said: expect.stringContaining('NOT AUDITED') })
})
