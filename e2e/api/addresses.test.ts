/** Addresses that serve both pages and documents, and commands of the operator, on the real product. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Product, repository } from '@murmuration/testkit'
import { createRestAPIClient } from 'masto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createUser, startWhole, type TestUser } from '../product.js'

let product: Product
let alice: TestUser
beforeAll(async () => {
  product = await startWhole()
  alice = await createUser(product, 'alice')
})
afterAll(() => product?.stop())

const ACTIVITY = 'application/activity+json'
const look = async (path: string, accept: string) => {
  const answer = await fetch(product.origin + path, { headers: { accept }, redirect: 'manual' })
  const type = answer.headers.get('content-type') ?? ''
  return { status: answer.status, type, vary: answer.headers.get('vary') ?? '', text: await answer.text() }
}

test('D030 the URL of a page returns the document to programs and the page to browsers', async () => {
  const status = await alice.api.v1.statuses.create({ status: 'for people and programs' })
  const page = `/@alice/${status.id}`
  for (const accept of [ACTIVITY, 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"']) {
    const actor = await look('/@alice', accept)
    expect([actor.status, actor.type]).toEqual([200, `${ACTIVITY}; charset=utf-8`])
    expect(actor.vary).toMatch(/\bAccept\b/)
    const person = JSON.parse(actor.text) as { id: string; type: string; preferredUsername: string }
    expect(person).toMatchObject({ type: 'Person', preferredUsername: 'alice' })
    const note = await look(page, accept)
    expect([note.status, note.type]).toEqual([200, `${ACTIVITY}; charset=utf-8`])
    expect(JSON.parse(note.text)).toMatchObject({ type: 'Note', id: status.uri, attributedTo: person.id })
  }
  for (const path of ['/@alice', page]) {
    const shown = await look(path, 'text/html,application/xhtml+xml')
    expect([shown.status, shown.type]).toEqual([200, 'text/html; charset=utf-8'])
    expect(shown.vary).toMatch(/\bAccept\b/)
  }
  for (const path of ['/@nobody', '/@alice/1'])
    expect((await look(path, ACTIVITY)).type).toBe('application/json; charset=utf-8')
})

test('a followers-only status is no public document', async () => {
  const hidden = await alice.api.v1.statuses.create({ status: 'for followers', visibility: 'private' })
  const absent = await look('/@alice/1', ACTIVITY)
  const shown = await look(`/@alice/${hidden.id}`, ACTIVITY)
  expect([shown.status, JSON.parse(shown.text).error]).toEqual([absent.status, JSON.parse(absent.text).error])
})

test('the instance links to the source code, and lists only media formats that it can process', async () => {
  const instance = (await (await fetch(`${product.origin}/api/v2/instance`)).json()) as {
    source_url: string
    configuration: { media_attachments: { supported_mime_types: string[] } }
  }
  expect(instance.source_url).toBe(`${product.origin}/about#source`)
  expect(await (await fetch(`${product.origin}/about`)).text()).toContain('id="source"')
  const types = instance.configuration.media_attachments.supported_mime_types
  expect(types).toContain('image/png')
  expect(types).not.toContain('image/heic')
})

test.each([
  [['foo', 'bar'], "unknown command 'foo'"],
  [['account', 'create', '--email', 'a@b.example'], "missing required argument 'name'"],
  [['account', 'create', 'x'], "required option '--email <address>' not specified"],
  [['account', 'create', 'alice', '--email', 'a@b.example'], 'has already been taken'],
  [['token', 'create', 'nobody'], 'There is no account named nobody'],
  [['setting', 'set', 'registrations', 'maybe'], 'registrations is open, approval or closed.'],
  [['dlq', 'replay', '99'], 'There is no dead letter 99.'],
  [['queues', '--service', 'nope'], "argument 'nope' is invalid"],
  [['recount', '--service', 'nope'], "argument 'nope' is invalid"],
  [['terms', 'publish', 'nowhere.md', '--from', '2026-12-31'], 'There is no file nowhere.md.'],
])('bin/ctl %j ends with a sentence', async (words, sentence) => {
  await expect(product.ctl(...words)).rejects.toThrow(sentence)
})

test('bin/ctl creates an account and a token that the API accepts', async () => {
  const made = await product.ctl('account', 'create', 'opal', '--email', 'opal@example.org', '--confirmed')
  expect(made).toMatchObject({ username: 'opal', email: 'opal@example.org', password: expect.stringMatching(/.{12}/) })
  const { token } = await product.ctl('token', 'create', 'opal', '--scopes', 'read')
  const opal = createRestAPIClient({ url: product.origin, accessToken: String(token) })
  expect((await opal.v1.accounts.verifyCredentials()).id).toBe(made.id)
})

test('bin/ctl resolves a file name from the current directory of the operator', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'operator-'))
  writeFileSync(join(folder, 'list.csv'), '#domain,#severity\nbad.example,suspend\n')
  const words = ['domain-block', 'import', 'list.csv', '--dry-run']
  const env = { ...process.env, ...product.env }
  const output = await promisify(execFile)(join(repository(), 'bin/ctl'), words, { cwd: folder, env })
  rmSync(folder, { recursive: true })
  expect(output.stdout).toContain('bad.example')
})

test('I5 bin/ctl recount finds nothing wrong', async () => {
  await product.waitForIdle()
  expect(await product.ctl('recount', '--check')).toEqual({ differences: [], repaired: false })
})
