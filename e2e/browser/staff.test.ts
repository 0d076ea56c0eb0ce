/**
 * A moderator's day with Chromium and no script: a sign-up approved, a report handled, an account limited and undone, a trend approved.
 * No page below `/admin` may overflow, and every control has a name.
 */

import { settingSet } from '@murmuration/contracts/admin'
import type { Product } from '@murmuration/testkit'
import pg from 'pg'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { askAs, makePerson, type Person, startWhole } from '../product.js'
import { executable, openChromium, overflowsOf, type TestBrowser } from './chromium.js'
import { makeTrouble } from './trouble.js'

/** Runs in the page: controls that a screen reader could not name. */
const UNNAMED = `[...document.querySelectorAll('main input:not([type=hidden]), main select, main textarea, main button, main summary, main a')]
  .filter((one) => !(one.labels && one.labels.length > 0 && [...one.labels].some((label) => label.textContent.trim())) && !one.getAttribute('aria-label') && !one.textContent.trim() && !one.querySelector('img[alt]:not([alt=""])'))
  .map((one) => one.outerHTML.slice(0, 120))`

describe.skipIf(!executable)('the pages below /admin in a browser (needs chromium)', { timeout: 400_000 }, () => {
  let product: Product
  let browser: TestBrowser
  let mod: Person
  let page: Page

  beforeAll(async () => {
    product = await startWhole()
    browser = await openChromium()
    mod = await makePerson(product, 'moderator', {
      role: 'Owner',
      scopes: 'read write follow push admin:read admin:write',
    })
    await product.call(settingSet, { name: 'registrations_mode', value: 'approved' })
    page = await (await browser.context({ javaScriptEnabled: false })).newPage()
    await page.goto(at('/auth/sign_in'))
    await page.locator('[name="user[email]"]').fill(mod.email)
    await page.locator('[name="user[password]"]').fill(mod.password)
    await page.locator('main form button[type=submit]').first().click()
    await page.waitForURL(at('/home'))
  })
  afterAll(async () => {
    await browser?.close()
    await product?.stop()
  })
  afterEach(() => {
    expect(browser.problems()).toEqual([])
  })

  const at = (path: string): string => product.origin + path
  const asked = async <T>(path: string): Promise<T> => (await askAs(product, mod, path)).json() as Promise<T>
  const open = async (path: string): Promise<void> => {
    await page.goto(at(path))
  }
  const press = async (name: string): Promise<void> => {
    await page.getByRole('button', { name, exact: true }).first().click()
  }

  /** A sign-up with a reason, as an app sends it. */
  const signUp = async (username: string): Promise<void> => {
    const app = (await (
      await fetch(at('/api/v1/apps'), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ client_name: 'app', redirect_uris: 'urn:ietf:wg:oauth:2.0:oob', scopes: 'read write' }),
      })
    ).json()) as { client_id: string; client_secret: string }
    const grant = (await (
      await fetch(at('/oauth/token'), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          grant_type: 'client_credentials',
          client_id: app.client_id,
          client_secret: app.client_secret,
          scope: 'read write',
        }),
      })
    ).json()) as { access_token: string }
    const made = await fetch(at('/api/v1/accounts'), {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${grant.access_token}` },
      body: JSON.stringify({
        username,
        email: `${username}@example.org`,
        password: 'correct horse battery',
        agreement: true,
        locale: 'en',
        reason: 'I watch starlings at the harbour and want to talk with others who do.',
      }),
    })
    expect(made.status, await made.text()).toBe(200)
  }

  test('a sign-up is approved', async () => {
    await signUp('hopeful')
    await signUp('second')
    await open('/admin')
    expect(await overflowsOf(page, 'admin-dashboard')).toEqual([])
    await page.getByRole('link', { name: 'Pending sign-ups' }).first().click()
    expect(await page.locator('table').textContent()).toContain('I watch starlings')
    expect(await overflowsOf(page, 'admin-sign-ups')).toEqual([])
    await page.locator('tr', { hasText: '@hopeful' }).getByRole('button', { name: 'Approve' }).click()
    expect(await page.locator('.flash').textContent()).toBe('The sign-up was approved.')
    const found = await asked<{ approved: boolean }[]>('/api/v2/admin/accounts?username=hopeful')
    expect(found.map(({ approved }) => approved)).toEqual([true])
  })

  test('a report is handled: assigned, the account limited, and the limit undone', async () => {
    const rude = await makePerson(product, 'rude')
    const victim = await makePerson(product, 'victim')
    const status = await rude.api.v1.statuses.create({ status: '@victim You know nothing about birds, be quiet!' })
    await victim.api.v1.reports.create({
      accountId: rude.id,
      statusIds: [status.id],
      comment: 'They insult me under every post.',
      category: 'other',
    })
    await open('/admin/reports')
    expect(await overflowsOf(page, 'admin-reports')).toEqual([])
    await page.locator('td a', { hasText: 'Something else' }).click()
    expect(await page.locator('main').textContent()).toContain('be quiet!')
    await press('Assign to me')
    expect(await overflowsOf(page, 'admin-report')).toEqual([])
    await page.getByRole('link', { name: 'Limit…' }).click()
    expect(await page.locator('.preview').textContent()).toContain('disappears from public timelines')
    await page.getByLabel('Text').fill('Please stay kind.')
    expect(await overflowsOf(page, 'admin-act')).toEqual([])
    await press('Limit')
    await page.waitForURL(/\/admin\/reports\/\d+$/)
    expect(await page.locator('h1').textContent()).toContain('Resolved')
    await page.locator('a.who', { hasText: '@rude' }).click()
    expect(await page.locator('h1').textContent()).toContain('Limited')
    expect(await overflowsOf(page, 'admin-account')).toEqual([])
    await press('Undo the limit')
    expect(await page.locator('h1').textContent()).toContain('Active')
    expect(await asked(`/api/v1/admin/accounts/${rude.id}`)).toMatchObject({ silenced: false })
  })

  test('a hashtag is approved and trends', async () => {
    const people = await Promise.all(
      ['uma', 'vic', 'wim', 'xia', 'yan', 'zoe'].map((name) => makePerson(product, name)),
    )
    for (const { api } of people) await api.v1.statuses.create({ status: 'So many #starlings today', language: 'en' })
    await product.settle()
    const { id } = (await asked<{ id: string; name: string }[]>('/api/v1/admin/tags')).find(
      (tag) => tag.name.toLowerCase() === 'starlings',
    ) ?? { id: '' }
    // Trends are scored every five minutes. This is the row that the next run would write.
    const db = new pg.Client({ connectionString: product.databaseUrl })
    await db.connect()
    await db.query('insert into statuses.trends (kind, id, score, top_score, top_at) values (0, $1, 9, 9, now())', [id])
    await db.end()
    await open('/admin/trends')
    expect(await overflowsOf(page, 'admin-trends')).toEqual([])
    await page.locator(`button[name=approve][value="${id}"]`).click()
    expect(await page.locator('.flash').textContent()).toBe('Approved. It may trend now.')
    const tags = (await (await fetch(at('/api/v1/trends/tags'))).json()) as { name: string }[]
    expect(tags.map(({ name }) => name.toLowerCase())).toContain('starlings')
  })

  test('no page overflows, every control has a name, and each page has one heading of the first level', async () => {
    await makePerson(product, 'a_very_long_user_name_of_30_ch')
    await makeTrouble(product.databaseUrl)
    for (const [path, json] of [
      ['domain_blocks', { domain: 'spam.example', severity: 'suspend', private_comment: 'Waves of spam since May' }],
      ['ip_blocks', { ip: '192.0.2.0/24', severity: 'no_access', comment: 'Scanner' }],
      ['email_domain_blocks', { domain: 'throwaway.example' }],
    ] as const)
      await askAs(product, mod, `/api/v1/admin/${path}`, { method: 'POST', body: JSON.stringify(json) })
    const paths: Record<string, string> = {
      dashboard: '/admin',
      'reports-resolved': '/admin/reports?state=resolved',
      accounts: '/admin/accounts',
      'trends-statuses': '/admin/trends/statuses',
      domains: '/admin/domains',
      'domains-import': '/admin/domains/import',
      hosts: '/admin/federation/hosts?state=all',
      host: '/admin/federation/hosts/slow.example',
      refusals: '/admin/federation/refusals',
      explain: '/admin/federation/explain?address=https%3A%2F%2Fhere.example%2F1',
      queues: '/admin/queues',
      'dead-letters': '/admin/dead_letters',
      'blocks-ip': '/admin/blocks',
      'blocks-email': '/admin/blocks/email_domains',
      rules: '/admin/rules',
      announcements: '/admin/announcements',
      settings: '/admin/settings',
      roles: '/admin/roles',
      webhooks: '/admin/webhooks',
      'audit-log': '/admin/audit_log',
    }
    const faults: string[] = []
    for (const [name, path] of Object.entries(paths)) {
      await open(path)
      faults.push(...(await overflowsOf(page, `admin-${name}`)))
      const unnamed = await page.evaluate<string[]>(UNNAMED)
      faults.push(...unnamed.map((one) => `${name}: ${one}`))
      if ((await page.locator('h1').count()) !== 1) faults.push(`${name}: headings of the first level`)
    }
    expect(faults).toEqual([])
  })
})
