/** Pages below `/admin` and `/home` in German with texts that have no place for a line break: none is wider than the window. */
import type { Product } from '@murmuration/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createUser, requestAs, startWhole } from '../product.js'
import { executable, openChromium, overflowsOf, type TestBrowser } from './chromium.js'
import { type Moderator, openModerator } from './staff.js'

const OURS = '/api/murmuration/v1/admin'
const LONG = `Donaudampfschifffahrtsgesellschaft${'abcdefghij'.repeat(12)}`

describe.skipIf(!executable)('pages with long words in a browser (needs chromium)', { timeout: 900_000 }, () => {
  let product: Product
  let browser: TestBrowser
  let mod: Moderator

  beforeAll(async () => {
    product = await startWhole()
    browser = await openChromium()
    mod = await openModerator(product, browser, { locale: 'de-DE' })
    const send = async (method: string, path: string, body: object): Promise<{ id: string }> => {
      const answer = await mod.send(method, path, body)
      expect([path, answer.status, answer.status === 200 ? '' : await answer.text()]).toEqual([path, 200, ''])
      return answer.json() as Promise<{ id: string }>
    }
    const rude = await createUser(product, 'a_very_long_user_name_of_30_ch')
    const changes = {
      display_name: LONG.slice(0, 30),
      note: LONG,
      fields_attributes: { 0: { name: LONG, value: LONG } },
    }
    await requestAs(product, rude, '/api/v1/accounts/update_credentials', {
      method: 'PATCH',
      body: JSON.stringify(changes),
    })
    const status = await rude.api.v1.statuses.create({
      status: `${LONG} #${LONG} https://${LONG.slice(0, 60)}.example/${LONG}`,
      spoilerText: LONG,
    })
    await rude.api.v1.statuses.create({
      status: LONG,
      poll: { options: ['x'.repeat(50), 'y'.repeat(50)], expiresIn: 300 },
    })
    const report = await send('POST', '/api/v1/reports', {
      account_id: rude.id,
      status_ids: [status.id],
      comment: LONG,
    })
    await send('POST', `/api/v1/admin/accounts/${rude.id}/action`, {
      type: 'sensitive',
      text: LONG,
      report_id: report.id,
    })
    await send('POST', '/api/v1/admin/domain_blocks', {
      domain: `${LONG.slice(0, 60)}.${LONG.slice(0, 60)}.example`,
      public_comment: LONG,
      private_comment: LONG,
    })
    await send('POST', '/api/v1/admin/ip_blocks', {
      ip: '2001:db8:1111:2222:3333:4444:5555:6666',
      severity: 'no_access',
      comment: LONG,
    })
    await send('POST', `${OURS}/announcements`, { text: LONG })
    await send('POST', `${OURS}/rules`, { text: LONG, hint: LONG })
    await send('POST', `${OURS}/webhooks`, {
      url: `https://hooks.example/${LONG}`,
      events: ['report.created'],
      template: LONG,
    })
    await send('POST', `${OURS}/roles`, { name: LONG.slice(0, 60), position: 5, permissions: ['manage_reports'] })
    await send('POST', `${OURS}/username_blocks`, { username: LONG.slice(0, 30) })
    await send('POST', `${OURS}/terms_of_service`, { text: `# ${LONG}\n\n${LONG}`, effective_date: '2999-01-31' })
    await send('PUT', `${OURS}/settings/site_title`, { value: LONG.slice(0, 60) })
    await send('POST', `${OURS}/bulk_actions`, { noun: 'account', action: 'silence', ids: [rude.id], text: LONG })
    await send('POST', '/api/v1/statuses', { status: LONG })
    await send('POST', `${OURS}/warning_presets`, { title: LONG.slice(0, 60), text: LONG })
    await send('POST', `${OURS}/relays`, { url: `https://relay.example/${LONG}/inbox` })
    await send('POST', `${OURS}/reports/${report.id}/notes`, { text: LONG })
    await send('POST', `${OURS}/accounts/${rude.id}/notes`, { text: LONG })
  })
  afterAll(async () => {
    await browser?.close()
    await product?.stop()
  })

  const shapeOf = (path: string): string => path.replace(/[?#].*$/, '').replace(/\/-?\d+(?=\/|$)/g, '/:id')

  test.each(['/admin', '/home'])('no page below %s is wider than the window', async (root) => {
    const faults: string[] = []
    const seen = new Set<string>()
    const left: string[] = [root]
    for (let path = left.shift(); path !== undefined; path = left.shift()) {
      if (seen.has(shapeOf(path))) continue
      seen.add(shapeOf(path))
      await mod.open(path)
      expect([path, await mod.page.locator('html').getAttribute('lang')]).toEqual([path, 'de'])
      faults.push(...(await overflowsOf(mod.page, `long${shapeOf(path).replace(/\W+/g, '-')}`)))
      const links = await mod.page
        .locator(`a[href^="${root}"]:not([download])`)
        .evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''))
      left.push(...links)
    }
    expect(seen.size).toBeGreaterThan(root === '/admin' ? 40 : 8)
    expect(faults).toEqual([])
  })
})
