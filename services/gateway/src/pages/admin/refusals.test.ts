/** Every form below `/admin` shows the error message of a refused operation, with its status. */
import { deflateRawSync } from 'node:zlib'
import type { SessionUser } from '@murmuration/contracts/accounts'
import { type ErrorCode, ErrorText, Failure } from '@murmuration/contracts/kit'
import { ALL_PERMISSIONS } from '@murmuration/contracts/permissions'
import { ownRequest, within } from '@murmuration/kernel'
import { viewer } from '@murmuration/testkit'
import { expect, test } from 'vitest'
import type { Edge } from '../../edge/serve.js'
import { html } from '../core/html.js'
import type { Page, PageRequest, Pages } from '../core/page-request.js'
import type { Sessions } from '../core/session.js'
import { addAdmin } from './index.js'

interface Route {
  path: string
  page: Page
}

let refusal: Failure
let form: Record<string, unknown> = {}
let asked = 0
const edge = {
  limits: { count: async () => undefined, take: async () => ({}) },
  access: { limitedFederation: false },
  sendRequest: async () => {
    asked++
    throw refusal
  },
} as unknown as Edge
const user = {
  viewer: viewer('1', { permissions: ALL_PERMISSIONS, position: 1_000 }),
  username: 'boss',
  state: 'ok',
  needsFactor: false,
} as unknown as SessionUser
const sessions = {
  user: async () => user,
  csrfField: () => html``,
  takeFlash: () => null,
  flash: () => undefined,
  form: async () => form,
  upload: async () => ({ form, files: {} }),
} as unknown as Sessions

const routes: Route[] = []
const shown: string[] = []
const pages: Pages = {
  inFlight: () => 0,
  add(method, path, page) {
    if (method === 'post') routes.push({ path, page })
    if (method === 'get') shown.push(path)
  },
}
addAdmin(pages, sessions, edge)

/** Values of the buttons and types of all forms below `/admin`. Each page accepts some of them. */
const CHOICES = [
  ...['resolve', 'approve', 'publish', 'up', 'enable', 'save', 'unsuspend', 'retry', 'replay', 'test', 'listable'],
  ...['none', 'mark_statuses_as_sensitive', 'ip', 'remove', 'revise', 'block', 'assign', 'note'],
]
const formFor = (choice: string) => ({
  ...Object.fromEntries(
    ['text', 'title', 'name', 'username', 'shortcode', 'template'].map((name) => [name, 'some text']),
  ),
  ...Object.fromEntries(['id', 'account_id', 'role_id', 'note_id', 'approve'].map((name) => [name, '1'])),
  ids: ['1'],
  url: 'https://relay.example/inbox',
  domain: 'a.example',
  list: 'a.example',
  packed: deflateRawSync('{"columns":null,"rows":[["a.example"]],"source":"a list"}').toString('base64url'),
  ip: '192.0.2.1',
  severity: 'silence',
  effective_date: '2030-01-01',
  sure: '1',
  expected: '1',
  noun: 'account',
  do: choice,
  type: choice,
  decision: choice,
})

/** Submits one form; returns the response and whether an operation was called. */
const submit = async ({ page, path }: Route, choice: string) => {
  form = formFor(choice)
  asked = 0
  const sent = { status: 200, body: '', location: '' }
  const headers = new Map<string, string>()
  const res = {
    req: { headers: {}, method: 'POST', url: path },
    get statusCode() {
      return sent.status
    },
    set statusCode(status: number) {
      sent.status = status
    },
    writeHead(status: number) {
      sent.status = status
      return res
    },
    setHeader: (name: string, value: string) => headers.set(name, value),
    hasHeader: (name: string) => headers.has(name),
    getHeader: (name: string) => headers.get(name),
    end: (body: unknown = '') => {
      sent.body = String(body)
    },
  }
  const ctx = {
    site: { https: true, origin: 'https://here.example', localDomain: 'here.example' },
    policy: { settings: () => ({ site_title: 'Here' }) },
    mediaOrigin: null,
    termsInForce: () => false,
    config: { providers: [] },
    staging: { delete: async () => undefined },
  }
  const kind = path.includes(':kind') ? 'tags' : '1'
  const params = { id: '1', service: 'admin', host: 'a.example', domain: 'a.example', shortcode: 'blob', kind }
  const req = { headers: {}, method: 'POST', originalUrl: path, url: path, query: {}, params }
  const request = {
    ctx,
    req,
    res,
    ip: '192.0.2.1',
    requestId: '1',
    limit: async () => undefined,
  } as unknown as PageRequest
  const context = { ...ownRequest(5_000), locale: 'en' }
  const thrown = await within(context, async () => page(request)).then(
    () => null,
    (error: Error) => error,
  )
  return { ...sent, location: headers.get('Location') ?? '', asked, thrown }
}

const refusals: readonly (readonly [ErrorCode, number, string])[] = [
  ['forbidden', 403, 'The rank is too low'],
  ['not_found', 404, 'Record not found'],
  ['conflict', 409, 'It changed meanwhile'],
  ['unprocessable', 422, 'Validation failed: Text is wrong'],
]

test('each address below /admin has one page', () => {
  expect(shown).toContain('/admin/bulk_actions')
  expect(routes.filter(({ path }) => !shown.includes(path))).toEqual([])
  expect(shown.filter((path, i) => shown.indexOf(path) !== i)).toEqual([])
})

test('there are forms below /admin', () => {
  expect(routes.length).toBeGreaterThan(30)
})

test.each(refusals)('every form shows the refusal %s with the status %i', async (code, status, text) => {
  refusal = new Failure(code, new ErrorText(text))
  const wrong: string[] = []
  for (const route of routes) {
    const answers: Awaited<ReturnType<typeof submit>>[] = []
    for (const choice of CHOICES) answers.push(await submit(route, choice))
    const refused = answers.filter((one) => one.asked > 0)
    if (refused.length === 0) wrong.push(`${route.path}: no operation was asked`)
    const other = refused.find(
      (one) => one.thrown !== null || one.status !== status || !one.body.includes('role="alert"'),
    )
    if (other) wrong.push(`${route.path}: ${other.thrown ?? other.status} ${other.location}`)
  }
  expect(wrong).toEqual([])
})
