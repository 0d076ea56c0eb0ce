/** Forms that are sent twice at the same time, to two gateways: each is carried out once, and both requests get the same response. */

import { app as admin } from '@murmuration/admin'
import { STAFF_PREFIX } from '@murmuration/contracts/admin'
import { sql } from '@murmuration/db'
import { startHost } from '@murmuration/kernel'
import { freePort } from '@murmuration/testkit'
import type { Browser } from '@murmuration/testkit/browser/forms'
import { type Button, type Field, type Form, readPage } from '@murmuration/testkit/browser/page'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '../src/context.js'
import { app as gateway } from '../src/main.js'
import { SECTIONS } from '../src/pages/core/settings-sections.js'
import { http, type StubResponse } from './harness.js'
import { type HostileStaff, kindOf, startHostileStaff } from './hostile-staff.js'

let server: HostileStaff
let second: Awaited<ReturnType<typeof startHost>>
let origins: [string, string]
beforeAll(async () => {
  server = await startHostileStaff({ REDIS_TIMEOUT_MS: '5000' })
  const port = await freePort()
  second = await startHost([{ app: gateway }], { ...server.env, PORT: String(port) })
  origins = [server.origin, `http://localhost:${port}`]
})
afterAll(async () => {
  await second.stop()
  await server.stop()
})

let n = 0
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
)

/** Another valid value for a field each time, by its name and type. */
const anotherValue = ({ name, type, value, options }: Field): string => {
  n++
  if (type === 'hidden' || type === 'checkbox' || type === 'radio') return value
  if (type === 'select') return value || options.find((one) => one !== '') || ''
  if (type === 'datetime-local') return ''
  if (type === 'date') return `${2030 + (n % 60)}-01-01`
  if (type === 'number') return value || '1'
  if (/password/.test(name)) return 'correct horse battery'
  if (/inbox|relay/.test(name)) return `https://relay${n}.example/inbox`
  if (type === 'url' || name === 'url') return `https://h${n}.example/inbox`
  if (/domain/.test(name)) return `d${n}.example`
  if (name === 'ip') return `10.1.${n % 250}.${1 + (n % 200)}`
  if (/email/.test(name)) return `p${n}@mail.example`
  if (/handle|acct|address/.test(name)) return 'rude'
  if (/color/.test(name)) return '#1f6f75'
  if (/code|name|shortcode/.test(name)) return `x${n}`
  return value || `text ${n}`
}

const isTick = ({ type }: Field) => type === 'checkbox' || type === 'radio'

/** Fields as a browser sends them for a form with a button: new texts, and its ticks as they are, except that required ones are set. */
const pairsOf = ({ fields }: Form, button: Button | undefined): [string, string][] => {
  const all = fields.filter((one) => !isTick(one) || one.checked || one.required || /events/.test(one.name))
  const pairs = all
    .filter(({ type }) => type !== 'file')
    .map((one): [string, string] => [one.name, isTick(one) ? one.value : anotherValue(one)])
  return button?.name ? [...pairs, [button.name, button.value]] : pairs
}

const listFor = ({ action }: Form): string => (/imports/.test(action) ? 'nice@far.example' : 'a.example')

const bodyOf = (form: Form, pairs: readonly [string, string][]): URLSearchParams | FormData => {
  if (form.encoding !== 'multipart/form-data') return new URLSearchParams(pairs as [string, string][])
  const body = new FormData()
  for (const [name, value] of pairs) body.append(name, value)
  for (const { name } of form.fields.filter(({ type }) => type === 'file'))
    body.append(
      name,
      /emoji/.test(form.action) ? new Blob([PICTURE], { type: 'image/png' }) : new Blob([listFor(form)]),
      'f',
    )
  return body
}

const post = (origin: string, by: Browser, path: string, body: URLSearchParams | FormData): Promise<StubResponse> =>
  http(origin, path, { method: 'POST', body, headers: { cookie: by.cookies.header(new URL(server.origin)) } })

const SERVICES = ['accounts', 'admin', 'federation', 'media', 'statuses']
/** Tables of the machinery, and rows that a repeated request makes too. */
const IGNORED =
  /^(outbox|consumed|migrations?|suspects?|sessions|sign_ins|leases|request_logs|.*_counts|.*_partition.*)$/

/** Number of rows by table. */
const counts = async (): Promise<Map<string, number>> => {
  const found = await Promise.all(
    SERVICES.map(async (service) => {
      const db = server.db(service)
      const tables = await db.rows<{ name: string }>(sql`select table_name as name from information_schema.tables
        where table_schema = ${service} and table_type = 'BASE TABLE'`)
      const names = tables.map(({ name }) => name).filter((name) => !IGNORED.test(name))
      const rows = await db.rows<{ name: string; count: number }>(sql`select name, (xpath('/row/c/text()', query_to_xml(
        format('select count(*) as c from %I.%I', ${service}::text, name), false, true, '')))[1]::text::int as count
        from unnest(${names}::text[]) as given(name)`)
      return rows.map(({ name, count }): [string, number] => [`${service}.${name}`, count])
    }),
  )
  return new Map(found.flat())
}

/** Rows that `work` added, by table. */
const added = async (work: () => Promise<unknown>): Promise<Map<string, number>> => {
  const before = await counts()
  await work()
  // Deliveries to webhooks that the walk creates would be retried for hours.
  await server.db('admin').run(sql`update webhooks set enabled = false`)
  await server.waitForIdle()
  const after = await counts()
  return new Map(
    [...after].flatMap(([name, count]): [string, number][] => {
      const more = count - (before.get(name) ?? 0)
      return more > 0 ? [[name, more]] : []
    }),
  )
}

/** Everything that requests left in Redis to be carried out once. */
const redisValues = async (): Promise<string[]> => {
  const ctx = server.host.running.find((one) => one.service === 'gateway')?.ctx as Context
  return ctx.redis.run(async (client) => {
    const keys = (await client.keys('gateway:once:*')) as string[]
    return Promise.all(keys.map(async (key) => String(await client.get(key))))
  })
}

const seen = ({ status, headers, text }: StubResponse) => [
  status,
  headers.get('location'),
  text.replace(/[\w-]{36,}/g, ''),
]

/** Shows a page again and returns its forms. */
type Show = () => Promise<readonly Form[]>
const showing =
  (by: Browser, path: string): Show =>
  async () =>
    (await server.open(by, path)).forms

/** The form of a page that was shown again, with the same address and fields. */
const fresh = async (show: Show, form: Form): Promise<Form | undefined> =>
  (await show()).find(
    (one) =>
      one.action === form.action &&
      one.fields.map((field) => field.name).join() === form.fields.map((field) => field.name).join(),
  )

/** Sends each form of a page once, and then twice at the same time. Returns tables that got rows, and faults. */
const walk = async (by: Browser, show: Show, forms: readonly Form[], done: Set<string>) => {
  const made = new Set<string>()
  const faults: string[] = []
  for (const form of forms.filter((one) => one.method === 'POST'))
    for (const button of form.buttons.length > 0 ? form.buttons : [undefined]) {
      const action = new URL(button?.action ?? form.action)
      const target = action.pathname + action.search
      const kind = `${kindOf(target)} ${form.fields.map((one) => one.name)} ${button?.value}`
      if (done.has(kind) || /sign_out|\/settings\/delete|\/auth\/edit|sessions\/end|\/remove$/.test(target)) continue
      done.add(kind)
      const first = await fresh(show, form)
      if (!first) continue
      const once = await added(() => post(server.origin, by, target, bodyOf(first, pairsOf(first, button))))
      for (const name of once.keys()) made.add(name)
      const again = await fresh(show, form)
      if (!again) continue
      const pairs = pairsOf(again, button)
      let answers: StubResponse[] = []
      const twice = await added(async () => {
        answers = await Promise.all(origins.map((origin) => post(origin, by, target, bodyOf(again, pairs))))
        // A third request after both is answered alike.
        if ((answers[0]?.status ?? 500) < 400) answers.push(await post(origins[1], by, target, bodyOf(again, pairs)))
      })
      const [a, ...others] = answers.map((one) => JSON.stringify(seen(one)))
      if (others.some((one) => one !== a)) faults.push(`${kind}: ${a?.slice(0, 200)} ≠ ${others.join().slice(0, 200)}`)
      for (const [name, count] of twice)
        if (count > Math.max(once.get(name) ?? 0, 1)) faults.push(`${kind}: ${count} rows in ${name}`)
    }
  return { made, faults }
}

/** Id of a local account. */
const idOf = async (username: string): Promise<string> => {
  const row = await server
    .db('accounts')
    .row<{ id: string }>(sql`select id from accounts where username = ${username} and domain is null`)
  return row?.id ?? ''
}

/** The forms of the page that counts accounts before they are limited. */
const planOf = async (by: Browser, path: string, target: string, usernames: readonly string[]) => {
  const { forms } = await server.open(by, path)
  const form = forms.find((one) => new URL(one.action).pathname === target) as Form
  const ids = await Promise.all(usernames.map(idOf))
  const button = form.buttons[0] as Button
  const others = form.fields
    .filter((one) => !isTick(one))
    .map(({ name, value }): [string, string] => [name, name === 'action' ? 'silence' : value])
  const pairs = [...others, ...ids.map((id): [string, string] => ['ids[]', id])]
  const { text } = await post(server.origin, by, target, bodyOf(form, [...pairs, [button.name, button.value]]))
  return readPage(text, server.origin + target).forms
}

test('no form of staff pages is carried out twice', async () => {
  const { boss } = server
  const pages = await server.crawl()
  const done = new Set<string>()
  const made = new Set<string>()
  const faults: string[] = []
  for (const [path, { forms }] of pages) {
    const found = await walk(boss, showing(boss, path), forms, done)
    for (const name of found.made) made.add(name)
    faults.push(...found.faults)
  }
  const bulk = () => planOf(boss, '/admin/accounts', '/admin/bulk_actions/confirm', ['nice', 'rude'])
  for (const show of [showing(boss, `/admin/accounts/${await idOf('rude')}/act?type=none`), bulk]) {
    const found = await walk(boss, show, await show(), done)
    for (const name of found.made) made.add(name)
    faults.push(...found.faults)
  }
  expect(faults).toEqual([])
  expect([...made].toSorted()).toEqual(
    expect.arrayContaining(
      [
        ...['announcements', 'audit_log', 'domain_blocks', 'email_domain_blocks', 'ip_blocks', 'rules', 'staff_notes'],
        ...['strikes', 'terms_of_service', 'username_blocks', 'warning_presets', 'webhooks', 'bulk_actions'],
      ].map((name) => `admin.${name}`),
    ),
  )
  expect([...made]).toEqual(expect.arrayContaining(['accounts.roles', 'federation.relays', 'media.custom_emojis']))
})

test('the address of every staff form is a page, because browsers keep it in their history', async () => {
  const pages = [...(await server.crawl()).values()]
  const targets = pages.flatMap(({ forms }) =>
    forms.flatMap(({ action, buttons }) => [action, ...buttons.map((button) => button.action ?? action)]),
  )
  const byKind = new Map(targets.map((target) => new URL(target).pathname).map((path) => [kindOf(path), path]))
  const paths = [...byKind.values(), '/admin/domains/import/confirm'].filter((path) => /^\/admin(\/|$)/.test(path))
  expect(paths.length).toBeGreaterThan(25)
  const found: (readonly [path: string, status: number, shown: string])[] = []
  // One after another, because so many pages at once exceed the time limits of a busy machine.
  for (const path of paths) {
    const { status, url } = await server.open(server.boss, path)
    found.push([path, status, new URL(url).pathname])
  }
  // No form is sent to the dashboard, or to an address directly below it without a page.
  expect(
    found.filter(([path, status, shown]) => status !== 200 || !path.startsWith(shown) || shown === '/admin'),
  ).toEqual([])
})

test('every field in the audit log of these forms has a label', async () => {
  const entries = await server.db('admin').rows<{ id: string; action: string }>(sql`select min(id)::text as id, action
    from (select id, action, jsonb_path_query_array(jsonb_build_array(before, after), '$[*] ? (@.type() == "object").keyvalue().key') as fields
      from audit_log) entries group by action, fields`)
  expect(new Set(entries.map(({ action }) => action)).size).toBeGreaterThan(25)
  const pages = await Promise.all(entries.map(({ id }) => server.open(server.boss, `/admin/audit_log/${id}`)))
  const names = pages.flatMap(({ html }) =>
    [...html.matchAll(/data-label="Field"><div><code>([^<]*)<\/code>/g)].map(([, name]) => name),
  )
  expect([...new Set(names)]).toEqual([])
})

test('no form of settings pages is carried out twice', async () => {
  await server.make('often')
  const by = await server.signIn('often')
  const done = new Set<string>()
  const made = new Set<string>()
  const faults: string[] = []
  const sections = SECTIONS.filter(({ id }) => id !== 'providers' && id !== 'home').map(({ path }) => path)
  for (const path of [...sections, '/settings/imports']) {
    const { forms } = await server.open(by, path)
    const found = await walk(by, showing(by, path), forms, done)
    for (const name of found.made) made.add(name)
    faults.push(...found.faults)
  }
  expect(faults).toEqual([])
  expect([...made]).toEqual(expect.arrayContaining(['accounts.invites', 'accounts.imports']))
})

test('a changed form and a form of a page that was opened again are carried out', async () => {
  const path = '/admin/warning_presets'
  const texts = async (like: string) =>
    (await server.db('admin').rows(sql`select 1 from warning_presets where title like ${`${like}%`}`)).length
  const send = async (title: string, form: Form) => {
    const pairs = pairsOf(form, form.buttons[0]).map(([name, value]): [string, string] =>
      name === 'title' ? [name, title] : [name, name === 'text' ? 'Please stop' : value],
    )
    return post(server.origin, server.boss, path, bodyOf(form, pairs))
  }
  const open = async () =>
    (await server.open(server.boss, path)).forms.find((one) => one.fields.some(({ name }) => name === 'title')) as Form
  const form = await open()
  await send('same 1', form)
  await send('same 1', form)
  expect(await texts('same')).toBe(1)
  await send('same 2', form)
  expect(await texts('same')).toBe(2)
  await send('same 2', await open())
  expect(await texts('same')).toBe(3)
})

test('a refused form is carried out when it is sent again', async () => {
  const path = '/admin/webhooks/new'
  const [form] = (await server.open(server.boss, path)).forms.filter((one) => new URL(one.action).pathname === path)
  const sent = pairsOf(form as Form, form?.buttons[0]).map(([name, value]): [string, string] =>
    name === 'url' ? [name, 'nothing'] : [name, value],
  )
  const statuses = async () =>
    (await Promise.all(origins.map((origin) => post(origin, server.boss, path, bodyOf(form as Form, sent))))).map(
      ({ status }) => status,
    )
  expect([await statuses(), await statuses()]).toEqual([
    [422, 422],
    [422, 422],
  ])
})

test('a POST request of staff with an Idempotency-Key is carried out once by two gateways', async () => {
  const send = (key: string | null, by = server.token) =>
    Promise.all(
      origins.map((origin) =>
        http(origin, `${STAFF_PREFIX}/webhooks`, {
          token: by,
          json: { url: 'https://once.example/hook', events: ['report.created'] },
          headers: key === null ? {} : { 'idempotency-key': key },
        }),
      ),
    )
  const made = async () =>
    (await server.db('admin').rows(sql`select 1 from webhooks where url = 'https://once.example/hook'`)).length
  const [one, two] = await send('k-1')
  expect([one?.status, two?.status, one?.text === two?.text, await made()]).toEqual([200, 200, true, 1])
  const later = await send('k-1')
  expect(later.map(({ text }) => text)).toEqual([one?.text, one?.text])
  await send('k-2')
  expect(await made()).toBe(2)
  const counted = await Promise.all(
    [true, false].map((dry_run) =>
      server.http(`${STAFF_PREFIX}/bulk_actions`, {
        token: server.token,
        json: { noun: 'account', action: 'sensitive', ids: [server.owner.id], dry_run },
        headers: { 'idempotency-key': 'k-3' },
      }),
    ),
  )
  expect(counted[0]?.text).not.toBe(counted[1]?.text)
  await send(null)
  expect(await made()).toBe(4)
  const values = await redisValues()
  expect(values.length).toBeGreaterThan(0)
  expect(values.join()).not.toContain(one?.json<{ secret: string }>().secret)
})

test('a form and a POST request that no service received are carried out when they are sent again', async () => {
  const path = '/admin/warning_presets'
  const form = (await server.open(server.boss, path)).forms.find((one) =>
    one.fields.some(({ name }) => name === 'title'),
  ) as Form
  const pairs = pairsOf(form, form.buttons[0]).map(([name, value]): [string, string] =>
    name === 'title' ? [name, 'without admin'] : [name, name === 'text' ? 'Please stop' : value],
  )
  const send = async (origin: string): Promise<number[]> => {
    const answers = await Promise.all([
      post(origin, server.boss, path, bodyOf(form, pairs)),
      http(origin, `${STAFF_PREFIX}/rules`, {
        token: server.token,
        json: { text: 'without admin' },
        headers: { 'idempotency-key': 'no-admin' },
      }),
    ])
    return answers.map(({ status }) => status)
  }
  const made = async () => {
    const counts = await server.db('admin').row<{ presets: number; rules: number }>(sql`select
      (select count(*)::int from warning_presets where title = 'without admin') as presets,
      (select count(*)::int from rules where text = 'without admin') as rules`)
    return [counts?.presets, counts?.rules]
  }
  await Promise.all(server.host.running.filter((one) => one.service === 'admin').map((one) => one.stop()))
  expect(await send(origins[0])).toEqual([503, 503])
  const successor = await startHost([{ app: admin }], { ...server.env, PORT: String(await freePort()) })
  try {
    await expect.poll(() => send(origins[1]), { interval: 300 }).toEqual([303, 200])
    expect([await send(origins[0]), await made()]).toEqual([
      [303, 200],
      [1, 1],
    ])
  } finally {
    await successor.stop()
  }
})
