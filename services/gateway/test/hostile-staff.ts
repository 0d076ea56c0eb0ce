/** Test harness of staff pages with hostile texts in everything that they show. */
import { STAFF_PREFIX } from '@murmuration/contracts/admin'
import { app as federation } from '@murmuration/federation'
import type { Browser } from '@murmuration/testkit/browser/forms'
import type { Form } from '@murmuration/testkit/browser/page'
import type { StubResponse } from './harness.js'
import { type StaffHarness, startStaffHarness } from './staff-harness.js'

/** Text that becomes an element or an attribute if a page does not escape it. */
export const HOSTILE = '<i-mark>" on-mark="1" \' on-mark=\'1\' {{event}} &lt;i-mark&gt;'

export interface HostileStaff extends StaffHarness {
  /** A browser of `boss`, and a token of another account with the role Owner. */
  readonly boss: Browser
  readonly token: string
  /** All pages below `/admin` that links reach for the account, by path. */
  crawl(by?: Browser): Promise<Map<string, { forms: Form[]; html: string }>>
  /** Posts a form with the cookies of the browser. */
  post(path: string, body: string, by?: Browser): Promise<StubResponse>
}

/** The path with ids replaced, so that each kind of page is visited a few times only. */
export const kindOf = (path: string): string => path.replace(/\d{6,}/g, ':id').replace(/=[^&]*/g, '=')
const MAX_OF_KIND = 2

export const encoded = (pairs: readonly [string, string][]): string =>
  new URLSearchParams(pairs as [string, string][]).toString()

/** Stores hostile text in everything that staff pages show. */
const populate = async (server: StaffHarness, token: string): Promise<void> => {
  const send = async (path: string, json: object, by = token, method = 'POST') => {
    const answer = await server.http(path, { method, token: by, json })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    return answer.json<{ id: string }>()
  }
  const staff = (path: string, json: object, method = 'POST') => send(STAFF_PREFIX + path, json, token, method)

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
  await server.waitForIdle()
  await staff(`/reports/${report.id}/assign`, { account_id: server.owner.id })
}

export const startHostileStaff = async (env: Record<string, string> = {}): Promise<HostileStaff> => {
  const server = await startStaffHarness({ RATE_LIMITS: 'off', ...env }, [federation])
  const { token } = await server.make('second', 'Owner')
  const boss = await server.signIn('boss')
  await populate(server, token)
  const crawl = async (by: Browser = boss): Promise<Map<string, { forms: Form[]; html: string }>> => {
    const pages = new Map<string, { forms: Form[]; html: string }>()
    const kinds = new Map<string, number>()
    const left = ['/admin']
    for (let path = left.shift(); path !== undefined; path = left.shift()) {
      const page = await server.open(by, path)
      if (page.status !== 200) throw new Error(`${path}: ${page.status}`)
      pages.set(path, { forms: page.forms, html: page.html })
      for (const { href } of page.links) {
        const { origin, pathname, search } = new URL(href)
        const next = pathname + search
        const seen = kinds.get(kindOf(next)) ?? 0
        if (origin !== server.origin || !/^\/admin(\/|$)/.test(pathname) || pages.has(next) || left.includes(next))
          continue
        if (seen >= MAX_OF_KIND || /export|\/files?\//.test(pathname)) continue
        kinds.set(kindOf(next), seen + 1)
        left.push(next)
      }
    }
    return pages
  }

  const post = (path: string, body: string, by: Browser = boss) =>
    server.http(path, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        cookie: by.cookies.header(new URL(server.origin)),
      },
    })
  return Object.assign(Object.create(server) as StaffHarness, { boss, token, crawl, post })
}
