/**
 * Every page below `/admin` with Chromium and no script, found by following links from the navigation. No page overflows at either
 * width in either colour scheme, every control has a label, and headings are in order.
 */
import { setSetting } from '@murmuration/contracts/admin'
import { ADMIN_LINKS } from '@murmuration/gateway/pages/core/staff-navigation'
import type { Product } from '@murmuration/testkit'
import pg from 'pg'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createUser, startWhole } from '../product.js'
import { executable, openChromium, overflowsOf, type TestBrowser } from './chromium.js'
import { faultsOf, focusFaultsOf, type Moderator, openModerator, signUp } from './staff.js'
import { makeTrouble } from './trouble.js'

const OURS = '/api/murmuration/v1/admin'

describe.skipIf(!executable)('the pages below /admin in a browser (needs chromium)', { timeout: 900_000 }, () => {
  let product: Product
  let browser: TestBrowser
  let mod: Moderator

  beforeAll(async () => {
    product = await startWhole()
    browser = await openChromium()
    mod = await openModerator(product, browser)
  })
  afterAll(async () => {
    await browser?.close()
    await product?.stop()
  })
  afterEach(() => {
    expect(browser.problems()).toEqual([])
  })

  /** Path without query and with `:id` for numbers, so that each page is visited once. */
  const shapeOf = (path: string): string =>
    path
      .replace(/[?#].*$/, '')
      .replace(/\/-?\d+(?=\/|$)/g, '/:id')
      .replace(/\d{4}-\d\d-\d\d/, ':day')

  /** Links of the current page to other pages below `/admin`. */
  const linksHere = async (): Promise<string[]> => {
    const links = await mod.page
      .locator('main a[href^="/admin"]:not([download])')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''))
    return [...new Set(links)]
  }

  test('every page of an empty server fits, is labelled, and shows that it is empty', async () => {
    const faults: string[] = []
    for (const { id, path } of ADMIN_LINKS) {
      await mod.open(path)
      faults.push(...(await overflowsOf(mod.page, `admin-empty-${id}`)))
      faults.push(...(await faultsOf(mod.page)).map((one) => `${path}: ${one}`))
    }
    expect(faults).toEqual([])
  })

  /** Creates rows for every page: long names, many states, texts of several lines. */
  const fill = async (): Promise<void> => {
    await product.call(setSetting, { name: 'registrations_mode', value: 'approved' })
    expect(await signUp(product.origin, 'hopeful')).toBe(200)
    const rude = await createUser(product, 'a_very_long_user_name_of_30_ch')
    const victim = await createUser(product, 'victim')
    const status = await rude.api.v1.statuses.create({ status: `@victim Be quiet! #starlings ${'long '.repeat(60)}` })
    await victim.api.v1.reports.create({
      accountId: rude.id,
      statusIds: [status.id],
      comment: 'They insult me under every post.',
      category: 'other',
    })
    const image = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#1f6f75' } })
      .png()
      .toBuffer()
    for (const [path, body] of [
      [
        '/api/v1/admin/domain_blocks',
        { domain: 'spam.example', severity: 'suspend', private_comment: 'Waves of spam' },
      ],
      ['/api/v1/admin/ip_blocks', { ip: '192.0.2.0/24', severity: 'no_access', comment: 'Scanner' }],
      ['/api/v1/admin/email_domain_blocks', { domain: 'throwaway.example' }],
      ['/api/v1/admin/canonical_email_blocks', { email: 'someone@spam.example' }],
      [`${OURS}/username_blocks`, { username: 'official' }],
      [
        `${OURS}/rules`,
        { text: `Be kind. ${'Really. '.repeat(20)}`, hint: 'Always', translations: { de: { text: 'Sei nett' } } },
      ],
      [`${OURS}/rules`, { text: 'Mark what machines made' }],
      [`${OURS}/announcements`, { text: 'The server moves tonight.\nPlease be patient.' }],
      [
        `${OURS}/announcements`,
        {
          text: 'Soon',
          scheduled_at: '2999-01-01T00:00:00Z',
          starts_at: '2999-01-02T00:00:00Z',
          ends_at: '2999-01-03T00:00:00Z',
          all_day: true,
        },
      ],
      [`${OURS}/terms_of_service`, { text: '# Be fair\n\nOn %{domain}.', effective_date: '2999-01-31' }],
      [
        `${OURS}/custom_emojis`,
        { shortcode: 'a_shortcode_that_is_rather_long', image: image.toString('base64'), category: 'Birds' },
      ],
      [`${OURS}/relays`, { url: 'https://relay.example/a/very/long/path/to/the/inbox/of/the/relay/inbox' }],
      [
        `${OURS}/roles`,
        {
          name: 'Helper of the moderators',
          color: '#c0f',
          position: 5,
          permissions: ['manage_reports', 'view_dashboard'],
          highlighted: true,
          require_2fa: true,
        },
      ],
    ] as const)
      expect([path, (await mod.send('POST', path, body)).status]).toEqual([path, 200])
    const limited = await createUser(product, 'limited')
    await mod.send('POST', `/api/v1/admin/accounts/${limited.id}/action`, {
      type: 'silence',
      text: 'Please stay kind.',
    })
    const db = new pg.Client({ connectionString: product.databaseUrl })
    await db.connect()
    await db.query(
      `insert into accounts.invites (id, account_id, code, uses, max_uses, autofollow, comment, created_at)
       values (1, $1, 'opencode', 3, 10, false, 'For the club', now()), (2, $1, 'fullcode', 2, 2, false, '', now())`,
      [victim.id],
    )
    await db.end()
    await product.waitForIdle()
    await makeTrouble(product.databaseUrl)
    // The host does not exist, so deliveries to it wait and the queue is not idle afterwards.
    const hook = {
      url: 'https://hooks.example/a/long/path/with/many/parts?and=a&query=too',
      events: ['account.created', 'report.created', 'status.created'],
      template: '{"text":"{{event}}"}',
    }
    expect((await mod.send('POST', `${OURS}/webhooks`, hook)).status).toBe(200)
  }

  test('every page with content fits, is labelled, shows the focus, and can be reached', async () => {
    await fill()
    const faults: string[] = []
    const known = new Map<string, string>([
      ['/admin', '/admin'],
      ...ADMIN_LINKS.map(({ path }) => [path, path] as const),
      ['/admin/federation/explain', '/admin/federation/explain?address=https%3A%2F%2Fhere.example%2F1'],
      [
        '/admin/federation/explain-server',
        '/admin/federation/explain?address=https%3A%2F%2Fhere.example%2F1&host=far.example',
      ],
      ['/admin/federation/explain-account', '/admin/federation/explain?by=a_very_long_user_name_of_30_ch'],
    ])
    // Each visited page adds its links to the map during the iteration.
    for (const [shape, path] of known) {
      await mod.open(path)
      for (const link of await linksHere()) if (!known.has(shapeOf(link))) known.set(shapeOf(link), link)
      const name = `admin${shape.slice('/admin'.length).replaceAll('/', '-').replaceAll(':', '')}`
      faults.push(...(await overflowsOf(mod.page, name)))
      faults.push(
        ...[...(await faultsOf(mod.page)), ...(await focusFaultsOf(mod.page))].map((one) => `${shape}: ${one}`),
      )
    }
    expect(faults).toEqual([])
    for (const shape of [
      '/admin/accounts/:id',
      '/admin/accounts/:id/role',
      '/admin/audit_log/:id',
      '/admin/reports/:id',
      '/admin/rules/:id',
      '/admin/announcements/:id',
      '/admin/roles/:id',
      '/admin/webhooks/:id',
      '/admin/tags/:id',
      '/admin/terms/new',
      '/admin/settings/access',
      '/admin/blocks/usernames',
    ])
      expect([...known.keys()]).toContain(shape)
  })

  test('the pages are in German with the parameter lang=de', async () => {
    const { page } = mod
    for (const { path } of ADMIN_LINKS) {
      await mod.open(`${path}?lang=de`)
      expect([path, await page.locator('html').getAttribute('lang')]).toEqual([path, 'de'])
    }
    expect(await overflowsOf(page, 'admin-german')).toEqual([])
  })
})
