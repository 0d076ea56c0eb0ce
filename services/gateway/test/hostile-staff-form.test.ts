/** Pages and forms below `/admin` with hostile stored texts and invalid fields: no 5xx status, no markup, no write without a token. */

import { STAFF_PREFIX } from '@murmuration/contracts/admin'
import { app as federation } from '@murmuration/federation'
import type { Browser } from '@murmuration/testkit/browser/forms'
import type { Form } from '@murmuration/testkit/browser/page'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type StaffHarness, startStaffHarness } from './staff-harness.js'

/** Text that becomes an element or an attribute if a page does not escape it. */
const HOSTILE = '<i-mark>" on-mark="1" \' on-mark=\'1\' {{event}} &lt;i-mark&gt;'
const MARKUP = /<i-mark|<[^<>]*["'] on-mark=["']/
const LONG = 'x'.repeat(12_000)
const NONSENSE = ['99999999999999999999', '-1', '\u202e"><b>%s', '9999999999999999999', '__proto__', '0']

let server: StaffHarness
let boss: Browser
let token: string

const send = async (path: string, json: object, by = token, method = 'POST') => {
  const answer = await server.http(path, { method, token: by, json })
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
  return answer.json<{ id: string }>()
}
const staff = (path: string, json: object, method = 'POST') => send(STAFF_PREFIX + path, json, token, method)

/** Stores hostile text in everything that staff pages show. */
const populate = async (): Promise<void> => {
  const [rude, nice, waiting] = [await server.make('rude'), await server.make('nice'), await server.make('waiting')]
  await send(
    '/api/v1/accounts/update_credentials',
    { display_name: '<i-mark>" on-mark="1', note: HOSTILE },
    rude.token,
    'PATCH',
  )
  const status = await send('/api/v1/statuses', { status: `${HOSTILE} #mark`, spoiler_text: HOSTILE }, rude.token)
  const report = await send(
    '/api/v1/reports',
    { account_id: rude.id, comment: HOSTILE, status_ids: [status.id], category: 'other' },
    nice.token,
  )
  await send(`/api/v1/admin/accounts/${waiting.id}/action`, { type: 'sensitive', text: HOSTILE })
  await send('/api/v1/admin/domain_blocks', {
    domain: 'bad.example',
    severity: 'silence',
    public_comment: HOSTILE,
    private_comment: HOSTILE,
  })
  await send('/api/v1/admin/ip_blocks', { ip: '10.9.8.7', severity: 'no_access', comment: HOSTILE, expires_in: 86_400 })
  await send('/api/v1/admin/email_domain_blocks', { domain: 'mail.bad.example' })
  await send('/api/v1/admin/canonical_email_blocks', { email: 'a.b@mail.example' })
  await staff('/username_blocks', { username: 'spam' })
  await staff('/announcements', {
    text: HOSTILE,
    starts_at: '2999-01-01T00:00:00Z',
    ends_at: '2999-01-02T00:00:00Z',
    all_day: true,
  })
  await staff('/rules', { text: HOSTILE, hint: HOSTILE })
  await staff('/roles', { name: HOSTILE.slice(0, 30), position: 5, permissions: ['manage_reports'] })
  await staff('/webhooks', { url: 'https://hooks.example/<i-mark>', events: ['report.created'], template: HOSTILE })
  await staff('/relays', { url: 'https://relay.example/inbox' })
  await staff('/settings/site_title', { value: HOSTILE.slice(0, 40) }, 'PUT')
  await staff('/bulk_actions', { noun: 'account', action: 'silence', ids: [waiting.id], text: HOSTILE })
  await server.settle()
  await staff(`/reports/${report.id}/assign`, { account_id: server.owner.id })
}

beforeAll(async () => {
  server = await startStaffHarness({ RATE_LIMITS: 'off' }, [federation])
  token = (await server.make('second', 'Owner')).token
  boss = await server.signIn('boss')
  await populate()
})
afterAll(() => server.stop())

/** The path with ids replaced, so that each kind of page is visited a few times only. */
const kindOf = (path: string): string => path.replace(/\d{6,}/g, ':id').replace(/=[^&]*/g, '=')
const MOST_OF_KIND = 2

/** All pages below `/admin` that links reach, by path. */
const crawl = async (): Promise<Map<string, { forms: Form[]; html: string }>> => {
  const pages = new Map<string, { forms: Form[]; html: string }>()
  const kinds = new Map<string, number>()
  const left = ['/admin']
  for (let path = left.shift(); path !== undefined; path = left.shift()) {
    const page = await server.open(boss, path)
    if (page.status !== 200) throw new Error(`${path}: ${page.status}`)
    pages.set(path, { forms: page.forms, html: page.html })
    for (const { href } of page.links) {
      const { origin, pathname, search } = new URL(href)
      const next = pathname + search
      const seen = kinds.get(kindOf(next)) ?? 0
      if (origin !== server.origin || !/^\/admin(\/|$)/.test(pathname) || pages.has(next) || left.includes(next))
        continue
      if (seen >= MOST_OF_KIND || /export|\/files?\//.test(pathname)) continue
      kinds.set(kindOf(next), seen + 1)
      left.push(next)
    }
  }
  return pages
}

type Pairs = [string, string][]

const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  server.http(path, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      cookie: boss.cookies.header(new URL(server.origin)),
      ...headers,
    },
  })

const encoded = (pairs: Pairs): string => new URLSearchParams(pairs).toString()

/** Bodies of a form, each with one invalid field. */
const mistakesIn = ({ fields, buttons }: Form): string[] => {
  const texts = new Set(
    fields.filter(({ type }) => /^(text|url|email|search|textarea)$/.test(type)).map(({ name }) => name),
  )
  const own = fields.map(({ name, value }): [string, string] => [name, value])
  const presses: Pairs = buttons.flatMap(({ name, value }): Pairs => (name ? [[name, value]] : []))
  const first = presses.slice(0, 1)
  const names = [...new Set([...own, ...first].map(([name]) => name))].filter((name) => name !== 'authenticity_token')
  const all: Pairs = [...own, ...first]
  const others = (name: string): Pairs => all.filter(([one]) => one !== name)
  return [
    ...names.flatMap((name, i) => [
      encoded([...others(name), [name, NONSENSE[i % NONSENSE.length] ?? '']]),
      encoded([...others(name), [name, 'a\0b']]),
      `${encoded(others(name))}&${encodeURIComponent(name)}=%ED%A0%80%FF`,
      ...(texts.has(name) ? [encoded([...others(name), [name, LONG]])] : []),
      encoded([...others(name), [`${name}[][x]`, '1']]),
      encoded([...others(name), [`${name}[toString]`, '1'], [`${name}[__proto__]`, '2']]),
      encoded([...others(name), [name, '1'], [name, '2']]),
      encoded(others(name)),
    ]),
    encoded([...own, ['do', 'constructor']]),
  ]
}

test('pages of staff show hostile texts as text', async () => {
  const pages = await crawl()
  expect(pages.size).toBeGreaterThan(45)
  expect([...pages].filter(([, { html }]) => MARKUP.test(html)).map(([path]) => path)).toEqual([])
  expect([...pages].filter(([, { html }]) => html.includes('&lt;i-mark&gt;')).length).toBeGreaterThan(12)
})

test('no form of staff pages writes without a token of the session', async () => {
  const pages = await crawl()
  const actions = new Set(
    [...pages.values()].flatMap(({ forms }) =>
      forms.filter((one) => one.method === 'POST').map((one) => new URL(one.action).pathname),
    ),
  )
  expect(actions.size).toBeGreaterThan(30)
  const found: string[] = []
  for (const action of actions)
    for (const body of ['', 'authenticity_token=x', 'authenticity_token[]=x', `authenticity_token=${'A'.repeat(43)}`]) {
      const { status } = await post(action, body)
      if (status !== 403) found.push(`${status} ${action} ${body}`)
    }
  expect(found).toEqual([])
})

test('invalid values of query parameters never give a 5xx status', async () => {
  const paths = [...new Set([...(await crawl()).keys()].map((path) => path.replace(/\?.*/, '')))]
  const names =
    'max_id q page state queue order category status origin role_ids permissions username display_name by_domain email ip invited_by action actor_id target_id batch_id domain account usable name type report_id text warning_preset_id kind period id address url form skip severity'.split(
      ' ',
    )
  const values = [
    '%ED%A0%80',
    '%FF',
    encodeURIComponent(HOSTILE),
    '99999999999999999999',
    '9999999999999999999',
    '-1',
    '__proto__',
    'constructor',
    'x'.repeat(3_000),
  ]
  const headers = { cookie: boss.cookies.header(new URL(server.origin)) }
  const found: string[] = []
  for (const path of paths)
    for (const query of [
      ...values.map((value) => names.map((name) => `${name}=${value}`).join('&')),
      names.map((name) => `${name}[]=1&${name}[a]=2`).join('&'),
      names.map((name) => `${name}[toString]=1&${name}[b]=2`).join('&'),
    ]) {
      const { status, text } = await server.http(`${path}?${query}`, { headers })
      if (status >= 500 || MARKUP.test(text)) found.push(`${status} ${path}?${query.slice(0, 60)}`)
    }
  expect(found).toEqual([])
})

test('D038 invalid fields in the forms of staff pages never give a 5xx status', async () => {
  const pages = await crawl()
  const found: string[] = []
  const done = new Set<string>()
  let count = 0
  for (const [path, { forms }] of pages)
    for (const form of forms.filter((one) => one.method === 'POST' && one.encoding !== 'multipart/form-data')) {
      const action = new URL(form.action).pathname
      if (!/^\/admin/.test(action)) continue
      const kind = `${kindOf(action)} ${form.fields.map((one) => one.name)} ${form.buttons.map((one) => one.value)}`
      if (done.has(kind)) continue
      done.add(kind)
      for (const body of mistakesIn(form)) {
        const { status, text } = await post(action, body)
        count++
        if (status >= 500 || MARKUP.test(text)) found.push(`${status} ${path} → ${action} ${body}`.slice(0, 600))
      }
    }
  expect(count).toBeGreaterThan(700)
  expect(found).toEqual([])
})

test('forms with ids that do not exist give a 4xx status or a message', async () => {
  const pages = await crawl()
  const proof =
    [...pages.values()]
      .flatMap(({ forms }) => forms)
      .flatMap((form) => form.fields)
      .find((one) => one.name === 'authenticity_token')?.value ?? ''
  const actions = new Set(
    [...pages.values()].flatMap(({ forms }) =>
      forms.filter((one) => one.method === 'POST').map((one) => new URL(one.action).pathname),
    ),
  )
  const found: string[] = []
  for (const action of actions)
    for (const id of ['7', '9223372036854775807', '99999999999999999999', 'x', '-99', '%ED%A0%80', '%00']) {
      const path = action.replace(/\d{6,}/, id)
      if (path === action) continue
      for (const act of ['', 'do=save', 'do=remove', 'do=delete&sure=1', 'do=publish', 'do=test', 'sure=1']) {
        const { status } = await post(path, `authenticity_token=${proof}&${act}`)
        if (status >= 500 || status < 300) found.push(`${status} ${path} ${act}`)
      }
    }
  expect(found).toEqual([])
})
