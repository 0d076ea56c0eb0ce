/**
 * A moderator's day with Chromium and no script: sign-up, report, limited account and trend. Then a list of servers is imported
 * after a dry run and undone, and a real listener receives a webhook.
 */
import { createHmac } from 'node:crypto'
import { setSetting } from '@murmuration/contracts/admin'
import type { Product } from '@murmuration/testkit'
import { type Received, serve, type WebServer } from '@murmuration/testkit/outside/web-server'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createUser, startWhole } from '../product.js'
import { executable, openChromium, overflowsOf, type TestBrowser } from './chromium.js'
import { mailTo } from './showcase-accounts.js'
import { faultsOf, type Moderator, openModerator, signUp } from './staff.js'

const OURS = '/api/murmuration/v1/admin'

describe.skipIf(!executable)("a moderator's day in a browser (needs chromium)", () => {
  let product: Product
  let browser: TestBrowser
  let listener: WebServer
  let mod: Moderator
  const received: Received[] = []

  beforeAll(async () => {
    listener = await serve((request) => {
      received.push(request)
      return { status: 200 }
    })
    product = await startWhole({ env: { OUTBOUND_ALLOW_ADDRESSES: '127.0.0.0/8' } })
    browser = await openChromium()
    mod = await openModerator(product, browser)
    await product.call(setSetting, { name: 'registrations_mode', value: 'approved' })
  })
  afterAll(async () => {
    await browser?.close()
    await product?.stop()
    await listener?.close()
  })
  afterEach(() => {
    expect(browser.problems()).toEqual([])
  })

  /** Asserts that the current page fits both widths and has no faults. */
  const expectGood = async (name: string): Promise<void> => {
    expect(await overflowsOf(mod.page, `day-${name}`)).toEqual([])
    expect(await faultsOf(mod.page)).toEqual([])
  }
  const flash = () => mod.page.locator('.flash').textContent()
  const heading = () => mod.page.locator('h1').textContent()

  test('a webhook is created, and its test reaches the listener with a valid signature', async () => {
    const { page } = mod
    await mod.open('/admin/webhooks')
    await page.getByRole('link', { name: 'New webhook' }).click()
    await page.getByLabel('Address').fill(`${listener.origin}/hook`)
    await page.getByLabel('A sign-up was approved').check()
    await page.getByLabel('A report was submitted').check()
    await mod.press('Create')
    const secret = (await page.locator('code.secret').textContent()) ?? ''
    expect(secret).toMatch(/^[0-9a-f]{40}$/)
    await expectGood('webhook-secret')
    await page.getByRole('link', { name: 'To the webhook' }).click()
    await mod.press('Send a test')
    expect(await flash()).toBe('The webhook accepted the test.')
    await expectGood('webhook-test')
    const [request] = received.splice(0)
    const body = request?.body.toString() ?? ''
    expect(JSON.parse(body)).toMatchObject({ event: 'test' })
    expect(request?.headers['x-hub-signature']).toBe(
      `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    )
  })

  /** Opens the link of the confirmation e-mail to an address. */
  const confirm = async (address: string): Promise<void> => {
    await expect.poll(() => mailTo(product, address)).toContain('/auth/confirmation?')
    const link = /https?:\S+\/auth\/confirmation\S+/.exec(await mailTo(product, address))?.[0] ?? ''
    expect((await fetch(link)).status).toBe(200)
  }

  test('a sign-up is approved, and the webhook receives it', async () => {
    const { page } = mod
    expect(await signUp(product.origin, 'hopeful')).toBe(200)
    expect(await signUp(product.origin, 'second')).toBe(200)
    await confirm('hopeful@example.org')
    await mod.open('/admin')
    await page.getByRole('link', { name: 'Pending sign-ups' }).first().click()
    expect(await page.locator('table').textContent()).toContain('I watch starlings')
    await page.locator('tr', { hasText: '@hopeful' }).getByRole('button', { name: 'Approve' }).click()
    expect(await flash()).toBe('The sign-up was approved.')
    const found = await mod.asked<{ approved: boolean }[]>('/api/v2/admin/accounts?username=hopeful')
    expect(found.map(({ approved }) => approved)).toEqual([true])
    await expect
      .poll(() => received.map((one) => JSON.parse(one.body.toString())))
      .toMatchObject([{ event: 'account.approved', object: { username: 'hopeful', approved: true } }])
    received.length = 0
  })

  test('a report is handled: assigned, the account limited, and the limit undone', async () => {
    const { page } = mod
    const rude = await createUser(product, 'rude')
    const victim = await createUser(product, 'victim')
    const status = await rude.api.v1.statuses.create({ status: '@victim You know nothing about birds, be quiet!' })
    await victim.api.v1.reports.create({
      accountId: rude.id,
      statusIds: [status.id],
      comment: 'They insult me under every post.',
      category: 'other',
    })
    await mod.open('/admin/reports')
    await page.locator('td a', { hasText: 'Something else' }).click()
    expect(await page.locator('main').textContent()).toContain('be quiet!')
    const report = new URL(page.url()).pathname
    await mod.press('Assign to me')
    await page.getByRole('link', { name: 'Limit…' }).click()
    expect(await page.locator('.preview').textContent()).toContain('disappears from public timelines')
    await expectGood('act')
    await page.getByLabel('Text').fill('Please stay kind.')
    await mod.press('Limit')
    await page.waitForURL(/\/admin\/reports\?queue=open$/)
    expect(await flash()).toBe('The account is now limited.')
    await mod.open(report)
    expect(await heading()).toContain('Resolved')
    await expectGood('resolved')
    await page.locator('a.who', { hasText: '@rude' }).click()
    expect(await heading()).toContain('Limited')
    await page.getByRole('link', { name: 'Account limited' }).first().click()
    await expectGood('audit-entry')
    await page.getByLabel('Reason (optional)').fill('It was a joke among friends.')
    await mod.press('Undo this action')
    expect(await flash()).toBe('The action is undone.')
    await expectGood('audit-entry-undone')
    await page.getByRole('link', { name: 'The entry that undid this one' }).click()
    expect(await page.locator('main').textContent()).toContain('It was a joke among friends.')
    await page.locator('.details').getByRole('link', { name: 'rude', exact: true }).click()
    expect(await heading()).toContain('Active')
    expect(await mod.asked(`/api/v1/admin/accounts/${rude.id}`)).toMatchObject({ silenced: false })
    await expect.poll(() => received.map((one) => JSON.parse(one.body.toString()).event)).toContain('report.created')
  })

  test('a hashtag is approved and trends', async () => {
    const { page } = mod
    const accounts = await Promise.all(
      ['uma', 'vic', 'wim', 'xia', 'yan', 'zoe'].map((name) => createUser(product, name)),
    )
    for (const { api } of accounts) await api.v1.statuses.create({ status: 'So many #starlings today', language: 'en' })
    await product.waitForIdle()
    const { id } = (await mod.asked<{ id: string; name: string }[]>('/api/v1/admin/tags')).find(
      (tag) => tag.name.toLowerCase() === 'starlings',
    ) ?? { id: '' }
    // Trends are scored every five minutes. Stores the row that the next run would write.
    const db = new pg.Client({ connectionString: product.databaseUrl })
    await db.connect()
    await db.query('insert into statuses.trends (kind, id, score, top_score, top_at) values (0, $1, 9, 9, now())', [id])
    await db.end()
    await mod.open('/admin/trends')
    await page.locator(`button[name=approve][value="${id}"]`).click()
    expect(await flash()).toBe('Approved. It may trend now.')
    const tags = (await (await fetch(mod.at('/api/v1/trends/tags'))).json()) as { name: string }[]
    expect(tags.map(({ name }) => name.toLowerCase())).toContain('starlings')
  })

  test('a list of servers is imported after a dry run that blocks none, and undone', async () => {
    const { page } = mod
    const blocked = async () =>
      (await mod.asked<{ domain: string; severity: string }[]>('/api/v1/admin/domain_blocks')).map(
        ({ domain, severity }) => [domain, severity],
      )
    await mod.open('/admin/domains')
    await page.getByRole('link', { name: 'Import a list…' }).click()
    await page
      .getByLabel('Or paste the list')
      .fill('#domain,#severity\nspam.example,suspend\nloud.example,silence\nnot a domain,suspend')
    await mod.press('Continue')
    expect(await page.locator('main').textContent()).toContain('1 of them suspended')
    expect(await blocked()).toEqual([])
    await expectGood('import-dry-run')
    await mod.press('Block 2 servers')
    expect(await heading()).toBe('The list was imported')
    await expectGood('imported')
    expect((await blocked()).sort()).toEqual([
      ['loud.example', 'silence'],
      ['spam.example', 'suspend'],
    ])
    await page.getByRole('link', { name: 'Show this import in the audit log' }).click()
    expect(await page.locator('table').textContent()).toContain('spam.example')
    const batch = new URL(page.url()).searchParams.get('batch_id')
    const entries = await mod.asked<{ id: string }[]>(`${OURS}/audit_log?batch_id=${batch}`)
    expect(entries).toHaveLength(2)
    for (const { id } of entries) {
      await mod.open(`/admin/audit_log/${id}`)
      await page.getByLabel('Reason (optional)').fill('a wrong list')
      await mod.press('Undo this action')
      expect(await flash()).toBe('The action is undone.')
    }
    await expectGood('import-undone')
    expect(await blocked()).toEqual([])
  })
})
