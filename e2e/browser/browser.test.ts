/**
 * A user with Chromium: signs up, confirms the address, sets up a second factor, and signs in to a web client on another
 * origin through its popup. No page may overflow. A console error or a failed request fails the test that caused it.
 */
import { createAccountByOperator, createTokenByOperator } from '@murmuration/contracts/accounts'
import { setSetting } from '@murmuration/contracts/admin'
import type { Product } from '@murmuration/testkit'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startWhole } from '../product.js'
import { executable, openChromium, overflowsOf, type TestBrowser } from './chromium.js'
import { type ClientServer, startClientServer } from './client-server.js'
import { takePicture } from './showcase.js'
import { type Author, codeOf, mailTo, makeAuthor } from './showcase-accounts.js'

const EMAIL = 'nora@example.org'
const PASSWORD = 'correct horse battery staple'
/** Wait before the sign-up form is sent, because it refuses forms that are sent within three seconds, as bots do. */
const READING_MS = 3_200
const CHECKED_SETTINGS = [
  '/settings',
  '/settings/preferences',
  '/statuses_cleanup',
  '/auth/edit',
  '/settings/second_factor',
  '/settings/sessions',
  '/oauth/authorized_applications',
  '/settings/mail',
  '/invites',
  '/settings/export',
  '/settings/imports',
  '/settings/migration',
  '/settings/aliases',
  '/settings/delete',
]

describe.skipIf(!executable)('a user with a browser (needs chromium)', () => {
  let product: Product
  let client: ClientServer
  let browser: TestBrowser
  /** Page of the browser in which the user signed up and is signed in. */
  let home: Page
  let secret = ''

  beforeAll(async () => {
    client = await startClientServer()
    product = await startWhole()
    browser = await openChromium()
    await product.call(setSetting, { name: 'registrations_mode', value: 'open' })
    home = await (await browser.context()).newPage()
  })
  afterAll(async () => {
    await browser?.close()
    await client?.stop()
    await product?.stop()
  })
  afterEach(() => {
    expect(browser.problems()).toEqual([])
  })

  const at = (path: string): string => product.origin + path
  const submit = (page: Page): Promise<void> => page.locator('main form button[type=submit]').first().click()
  const heading = (page: Page): Promise<string | null> => page.locator('main h1').first().textContent()
  const stateIs = (page: Page, text: string | RegExp): Promise<void> =>
    page.locator('#state').filter({ hasText: text }).waitFor()

  /** Opens the web client in a browser without cookies, and the popup of its sign-in. */
  const openPopup = async (): Promise<{ app: Page; popup: Page }> => {
    const app = await (await browser.context()).newPage()
    await app.goto(`${client.origin}/?server=${encodeURIComponent(product.origin)}`)
    await stateIs(app, 'Ready')
    const [popup] = await Promise.all([app.waitForEvent('popup'), app.locator('#sign-in').click()])
    return { app, popup }
  }
  const givePassword = async (page: Page, password = PASSWORD): Promise<void> => {
    await page.locator('[name="user[email]"]').fill(EMAIL)
    await page.locator('[name="user[password]"]').fill(password)
    await submit(page)
  }
  const hasOpener = (page: Page): Promise<boolean> => page.evaluate<boolean>('window.opener !== null')

  test('signs up, and confirms the address with the link of the e-mail', async () => {
    await home.goto(at('/'))
    await home.locator('a[href="/auth/sign_up"]').first().click()
    await home.locator('[name="user[username]"]').fill('nora')
    await home.locator('[name="user[email]"]').fill(EMAIL)
    await home.locator('[name="user[password]"]').fill(PASSWORD)
    await home.locator('[name="user[agreement]"]').check()
    expect(await overflowsOf(home, 'sign-up-filled')).toEqual([])
    await home.waitForTimeout(READING_MS)
    await submit(home)
    await home.waitForURL(at('/auth/setup'))
    expect(await home.locator('main').textContent()).toContain(EMAIL)
    expect(await overflowsOf(home, 'setup')).toEqual([])
    await expect.poll(() => mailTo(product, EMAIL)).toContain('/auth/confirmation?')
    const link = /https?:\S+\/auth\/confirmation\S+/.exec(await mailTo(product, EMAIL))?.[0] ?? ''
    await home.goto(link)
    expect(await heading(home)).toContain('confirmed')
    expect(await overflowsOf(home, 'confirmed')).toEqual([])
    await home.goto(at('/settings'))
    expect(await home.locator('main').textContent()).toContain('nora')
  })

  test('signs in to a web client through its popup, posts, and sees the post streamed', async () => {
    const { app, popup } = await openPopup()
    await popup.waitForURL(/\/auth\/sign_in/)
    expect(await hasOpener(popup), 'the sign-in page keeps the opener').toBe(true)
    browser.expectStatus(422, '/auth/sign_in')
    await givePassword(popup, 'a wrong password')
    await popup.locator('[role=alert]').waitFor()
    await givePassword(popup)
    await popup.waitForURL(/\/oauth\/authorize/)
    expect(await popup.locator('main').textContent()).toContain(new URL(client.origin).host)
    expect(await hasOpener(popup), 'the consent page keeps the opener').toBe(true)
    await stateIs(app, 'Waiting for the popup')
    expect(await overflowsOf(popup, 'consent')).toEqual([])
    await popup.locator('button[value=authorize]').click()
    await stateIs(app, 'Signed in as nora')
    expect(popup.isClosed()).toBe(true)
    // The client chooses the time of its connection, so statuses are posted until the stream receives one.
    await expect
      .poll(
        async () => {
          await app.locator('#text').fill('My first post')
          await app.locator('#compose button').click()
          await stateIs(app, /Published \d+/)
          await product.waitForIdle()
          return app.locator('#timeline').textContent()
        },
        { interval: 1_000 },
      )
      .toContain('My first post')
    await app.close()
  })

  test('returns to an app whose redirect URI redirects to another origin', async () => {
    const redirect_uri = `${client.origin}/moved`
    const post = async (path: string, body: Record<string, unknown>): Promise<Record<string, string>> => {
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(at(path), { method: 'POST', headers, body: JSON.stringify(body) })
      expect(response.status).toBe(200)
      return response.json() as Promise<Record<string, string>>
    }
    const app = await post('/api/v1/apps', { client_name: 'Moved', redirect_uris: redirect_uri, scopes: 'read' })
    const { client_id = '', client_secret } = app
    const authorize = (more: Record<string, string> = {}) =>
      at(
        `/oauth/authorize?${new URLSearchParams({ client_id, redirect_uri, response_type: 'code', scope: 'read', ...more })}`,
      )
    const arrives = (page: Page) => page.waitForURL(/^http:\/\/localhost:\d+\/arrived\.html/)
    const first = await (await browser.context()).newPage()
    await first.goto(authorize())
    await givePassword(first)
    await first.locator('button[value=authorize]').click()
    await arrives(first)
    const code = new URL(first.url()).searchParams.get('code')
    await post('/oauth/token', { grant_type: 'authorization_code', code, redirect_uri, client_id, client_secret })
    // The app has a token now, so no page asks for consent.
    await first.goto(authorize({ response_mode: 'form_post' }))
    await submit(first)
    await arrives(first)
    const second = await (await browser.context()).newPage()
    await second.goto(authorize())
    await givePassword(second)
    await arrives(second)
    await Promise.all([first, second].map((page) => page.context().close()))
  })

  test('adds an authenticator app in the settings', async () => {
    await home.goto(at('/settings/second_factor'))
    const setUp = home.locator('details').filter({ has: home.locator('form[action="/settings/second_factor/app"]') })
    await setUp.locator('summary').click()
    await setUp.locator('[name=password]').fill(PASSWORD)
    await setUp.locator('button[type=submit]').click()
    secret = (await home.locator('code.secret').textContent()) ?? ''
    expect(await overflowsOf(home, 'authenticator-app')).toEqual([])
    await home.locator('#code').fill(codeOf(secret))
    await home.locator('form[action$="/app/confirm"] button[type=submit]').click()
    await home.locator('ul.codes').waitFor()
    expect(await home.locator('ul.codes li').count()).toBe(10)
    expect(await overflowsOf(home, 'backup-codes')).toEqual([])
  })

  test('gives the second factor in the popup, which keeps the opener', async () => {
    const { app, popup } = await openPopup()
    await givePassword(popup)
    await popup.waitForURL(/second_factor/)
    expect(await hasOpener(popup)).toBe(true)
    expect(await overflowsOf(popup, 'second-step')).toEqual([])
    // The code of the setup was used. The next one is valid already.
    await popup.locator('#code').fill(codeOf(secret, 1))
    await submit(popup)
    await popup.locator('button[value=authorize]').click()
    await stateIs(app, 'Signed in as nora')
    await app.close()
  })

  test('denies an app, and the client learns that sign-in was cancelled', async () => {
    const app = await home.context().newPage()
    await app.goto(`${client.origin}/?server=${encodeURIComponent(product.origin)}`)
    await stateIs(app, 'Ready')
    const [popup] = await Promise.all([app.waitForEvent('popup'), app.locator('#sign-in').click()])
    await popup.locator('button[value=delete]').click()
    await stateIs(app, 'Sign-in was cancelled')
    await app.context().pages().at(-1)?.close()
    await app.close()
  })

  test('no settings page overflows', async () => {
    const overflows: string[] = []
    for (const path of CHECKED_SETTINGS) {
      await home.goto(at(path))
      overflows.push(...(await overflowsOf(home, path.slice(1).replaceAll('/', '-'))))
    }
    expect(overflows).toEqual([])
  })

  test('the picture for the README has at most 200 kB', async () => {
    // README_PICTURE=docs/images/profile.webp renews the committed one.
    const path = process.env.README_PICTURE ?? '.data/test-browser/readme.webp'
    expect(await takePicture(product, browser, path)).toBeLessThanOrEqual(200_000)
  })

  test('no public page overflows', async () => {
    const { username, thread, quote }: Author = await makeAuthor(product)
    const visitor = await (await browser.context()).newPage()
    browser.expectStatus(404, '/nothing-here')
    const pages: Record<string, string> = {
      landing: '/',
      about: '/about',
      privacy: '/privacy-policy',
      'sign-up': '/auth/sign_up',
      'sign-in': '/auth/sign_in',
      'new-password': '/auth/password/new',
      'new-confirmation': '/auth/confirmation/new',
      profile: `/@${username}`,
      thread: `/@${username}/${thread.id}`,
      quote: `/@${username}/${quote.id}`,
      embed: `/@${username}/${thread.id}/embed`,
      hashtag: '/tags/photo',
      'web-intent': `/authorize_interaction?uri=${encodeURIComponent(`https://remote.example/${'long-'.repeat(30)}`)}`,
      share: '/share?text=Something+to+share',
      'not-found': '/nothing-here',
    }
    const overflows: string[] = []
    for (const [name, path] of Object.entries(pages)) {
      await visitor.goto(at(path))
      overflows.push(...(await overflowsOf(visitor, name)))
    }
    expect(overflows).toEqual([])
  })

  test('keeps the handle of a quoted post on one line on a phone', async () => {
    const person = async (username: string) => {
      await product.call(createAccountByOperator, { username, email: `${username}@mail.example`, confirmed: true })
      const { token } = await product.call(createTokenByOperator, { username, scopes: 'read write' })
      return (status: object) =>
        fetch(at('/api/v1/statuses'), {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(status),
        }).then((response) => response.json() as Promise<{ id: string }>)
    }
    const [first, second] = [await person('original_writer'), await person('quoting_reader')]
    const original = await first({ status: 'worth a quote' })
    const quote = await second({ status: 'see this', quoted_status_id: original.id })
    const phone = await (await browser.context({ viewport: { width: 360, height: 800 } })).newPage()
    await phone.goto(at(`/@quoting_reader/${quote.id}`))
    expect(await phone.locator('main').textContent()).not.toContain('RE:')
    const handle = phone.locator('.quoted .who .muted')
    const { lines, width } = await handle.evaluate((element) => ({
      lines: element.getClientRects().length,
      width: element.closest('.quoted')?.clientWidth ?? 0,
    }))
    expect(lines).toBe(1)
    expect(width).toBeGreaterThan(0.75 * 360)
  })
})
