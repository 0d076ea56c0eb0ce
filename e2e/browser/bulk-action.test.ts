/** A bulk action with Chromium and no script: list, dry run, progress, undo; each page at both widths and in both colour schemes. */
import type { Product } from '@murmuration/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createUser, startWhole } from '../product.js'
import { executable, openChromium, overflowsOf, type TestBrowser } from './chromium.js'
import { faultsOf, type Moderator, openModerator } from './staff.js'

describe.skipIf(!executable)('bulk actions in a browser (needs chromium)', () => {
  let product: Product
  let browser: TestBrowser
  let mod: Moderator
  beforeAll(async () => {
    product = await startWhole()
    browser = await openChromium()
    mod = await openModerator(product, browser, { username: 'mona', role: 'Moderator' })
  })
  afterAll(async () => {
    await browser?.close()
    await product?.stop()
  })
  afterEach(() => {
    expect(browser.problems()).toEqual([])
  })

  const check = async (name: string): Promise<void> => {
    expect([...(await overflowsOf(mod.page, name)), ...(await faultsOf(mod.page))]).toEqual([])
  }

  test('accounts are chosen, counted, limited, and undone, and every page fits', async () => {
    for (const name of ['spam_account_with_a_long_name1', 'spam_two', 'spam_three']) await createUser(product, name)
    const owner = await createUser(product, 'spam_owner', { role: 'Owner' })
    await mod.open('/admin/accounts?username=spam')
    await check('bulk-list')
    for (const name of ['@spam_two', '@spam_three', '@spam_owner', '@spam_account_with_a_long_name1'])
      await mod.page.getByRole('checkbox', { name: `Select ${name}` }).check()
    await mod.page.getByLabel('Action').selectOption('silence')
    await mod.press('Count first…')
    await mod.page.getByText('Your role does not allow this').first().waitFor()
    await check('bulk-confirm')
    await mod.page.getByLabel('Reason (optional)').fill('A wave of spam')
    await mod.press('Limit (3)')
    await mod.page.getByText('Undo all…').waitFor()
    await check('bulk-done')
    const account = await mod.asked<{ silenced: boolean }>(`/api/v1/admin/accounts/${owner.id}`)
    expect(account.silenced).toBe(false)
    await mod.page.getByText('Undo all…').click()
    await check('bulk-undo')
    await mod.press('Undo all (3)')
    await mod.page.getByText('The bulk action that this one undid').waitFor()
    // The page is shown while the task is still running.
    await expect.poll(() => mod.asked<unknown[]>('/api/v2/admin/accounts?status=silenced')).toEqual([])
    await mod.open('/admin/bulk_actions')
    await check('bulk-actions')
  })

  test('blocked servers are chosen, removed, and their list fits', async () => {
    const chief = await openModerator(product, browser, { username: 'chief', role: 'Admin' })
    for (const domain of ['one.example', 'a-server-with-a-very-long-name.of-some-region.example'])
      await chief.send('POST', '/api/v1/admin/domain_blocks', {
        domain,
        severity: 'suspend',
        reject_media: true,
        obfuscate: true,
        public_comment: 'Unsolicited advertisement, in spite of several reports to its staff',
      })
    const fits = async (name: string): Promise<void> => {
      expect([...(await overflowsOf(chief.page, name)), ...(await faultsOf(chief.page))]).toEqual([])
    }
    await chief.open('/admin/domains')
    await fits('bulk-domains')
    await chief.page.getByRole('checkbox', { name: 'Select one.example' }).check()
    await chief.press('Count first…')
    await fits('bulk-domains-confirm')
    await chief.press('Remove (1)')
    await expect.poll(async () => (await chief.asked<unknown[]>('/api/v1/admin/domain_blocks')).length).toBe(1)
  })
})
