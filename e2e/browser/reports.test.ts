/** A queue of reports in Chromium without scripts: notes, assignment, previews, and the next report. */
import type { Product } from '@murmuration/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createUser, startWhole } from '../product.js'
import { executable, openChromium, overflowsOf, type TestBrowser } from './chromium.js'
import { faultsOf, focusFaultsOf, type Moderator, openModerator } from './staff.js'

const OURS = '/api/murmuration/v1/admin'

describe.skipIf(!executable)('reports in a browser (needs chromium)', () => {
  let product: Product
  let browser: TestBrowser
  let mod: Moderator
  const ids: string[] = []

  beforeAll(async () => {
    product = await startWhole()
    browser = await openChromium()
    mod = await openModerator(product, browser)
    await openModerator(product, browser, { username: 'colleague', role: 'Moderator' })
    const rude = await createUser(product, 'a_very_long_user_name_of_30_ch')
    const victim = await createUser(product, 'victim')
    await victim.api.v1.accounts.$select(rude.id).follow()
    const statuses = []
    for (const text of ['@victim Be quiet!', `@victim You know nothing about birds. ${'Really. '.repeat(40)}`])
      statuses.push(await rude.api.v1.statuses.create({ status: text, language: 'en' }))
    const comments = ['They insult me under every post.', 'Again, and again.', '']
    for (const [at, comment] of comments.entries()) {
      const filed = await victim.api.v1.reports.create({
        accountId: rude.id,
        statusIds: at === 2 ? [] : statuses.map((one) => one.id),
        comment,
        category: at === 1 ? 'spam' : 'other',
      })
      ids.push(filed.id)
    }
    for (const text of ['Please stay kind.', 'This is the last warning.'])
      await mod.send('POST', `/api/v1/admin/accounts/${rude.id}/action`, { type: 'none', text })
    await mod.send('POST', `${OURS}/warning_presets`, { title: 'Insults', text: 'Insults are not allowed here.' })
    await mod.send('POST', `${OURS}/accounts/${rude.id}/notes`, { text: 'Wrote to us by e-mail in March.' })
    await product.waitForIdle()
  })
  afterAll(async () => {
    await browser?.close()
    await product?.stop()
  })
  afterEach(() => {
    expect(browser.problems()).toEqual([])
  })

  const expectGood = async (name: string) => {
    const faults = [
      ...(await overflowsOf(mod.page, `reports-${name}`)),
      ...(await faultsOf(mod.page)),
      ...(await focusFaultsOf(mod.page)),
    ]
    expect([name, ...faults]).toEqual([name])
  }
  const main = () => mod.page.locator('main').textContent()
  const here = () => new URL(mod.page.url()).pathname

  test('the queue has counts and ages, and its filters stay in the links to reports', async () => {
    await mod.open('/admin/reports')
    expect(await mod.page.locator('.tabs').textContent()).toMatch(/All open 3.*Unassigned 3/)
    expect(await main()).toContain('Oldest open report:')
    await expectGood('queue')
    await mod.page.getByLabel('Order').selectOption('oldest')
    await mod.press('Filter')
    await mod.page.getByRole('link', { name: 'Something else' }).first().click()
    expect(here()).toBe(`/admin/reports/${ids[0]}`)
    expect(mod.page.url()).toContain('order=oldest')
  })

  test('the page of a report shows notes, strikes, other reports and history', async () => {
    const { page } = mod
    await page.getByLabel('New note, for staff only').first().fill('I asked the reporter for more links.')
    await mod.press('Add the note')
    await page.locator('select[name=account_id]').selectOption({ label: '@colleague' })
    await mod.press('Assign to this account')
    const text = await main()
    for (const part of ['The report is assigned.', 'I asked the reporter', 'in March', 'About this account', 'History'])
      expect(text).toContain(part)
    await page.getByRole('link', { name: '2', exact: true }).waitFor()
    await expectGood('report')
    expect(await page.locator('a[accesskey=n]').getAttribute('href')).toContain(`/admin/reports/${ids[1]}?`)
  })

  test('single posts are chosen, the preview has the e-mail, and the decision leads to the next report', async () => {
    const { page } = mod
    await page.locator('input[name="ids[]"]').first().uncheck()
    await page.getByRole('button', { name: 'Delete posts for good…' }).click()
    await page.getByLabel('Preset').selectOption({ index: 1 })
    await page.getByLabel('Text').fill('Please read our rules.')
    await mod.press('Update the preview')
    const mail = await page.locator('pre.mail').textContent()
    expect(mail).toContain('> Insults are not allowed here.')
    expect(mail).toContain('> Please read our rules.')
    expect(await page.locator('.preview').textContent()).toContain('1 post no longer visible')
    await expectGood('posts')
    await mod.press('Delete posts for good')
    expect(here()).toBe(`/admin/reports/${ids[1]}`)
    expect(await main()).toContain('The posts are deleted.')
  })

  test('the preview of an action on the account counts followers, and the queue ends after the last report', async () => {
    const { page } = mod
    await mod.press('Resolve without action')
    expect(here()).toBe(`/admin/reports/${ids[2]}`)
    await page.getByRole('link', { name: 'Suspend…' }).click()
    expect(await page.locator('.preview').textContent()).toContain('1 follower lost')
    await expectGood('suspend')
    await mod.press('Suspend')
    expect(here()).toBe('/admin/reports')
    expect(await main()).toContain('No report is open.')
    await expectGood('done')
  })
})
