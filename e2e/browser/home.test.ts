/**
 * A new user with Chromium and no app: signs in, writes a first post with a picture, and sees a reply appear. The same post works
 * without JavaScript. No page below `/home` may overflow, and every control has a name.
 */
import type { Product } from '@murmuration/testkit'
import pg from 'pg'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createUser, startWhole, type TestUser } from '../product.js'
import { executable, openChromium, overflowsOf, type TestBrowser } from './chromium.js'
import { makeAuthor } from './showcase-accounts.js'

/** Runs in the page: returns controls without an accessible name. */
const UNNAMED = `[...document.querySelectorAll('main input:not([type=hidden]), main select, main textarea, main button, main summary, main a')]
  .filter((one) => !(one.labels && one.labels.length > 0) && !one.getAttribute('aria-label') && !one.textContent.trim() && !one.querySelector('img[alt]:not([alt=""])'))
  .map((one) => one.outerHTML.slice(0, 120))`

/** Runs in the page: returns the levels of the headings, in order. */
const LEVELS = `[...document.querySelectorAll('h1, h2, h3')].map((one) => Number(one.tagName.slice(1)))`

describe.skipIf(!executable)('the pages below /home in a browser (needs chromium)', () => {
  let product: Product
  let browser: TestBrowser
  let friend: TestUser
  let picture: Buffer

  beforeAll(async () => {
    product = await startWhole()
    browser = await openChromium()
    friend = await createUser(product, 'friend')
    picture = await sharp({ create: { width: 1200, height: 800, channels: 3, background: '#3d7ea6' } })
      .png()
      .toBuffer()
  })
  afterAll(async () => {
    await browser?.close()
    await product?.stop()
  })
  afterEach(() => {
    expect(browser.problems()).toEqual([])
  })

  const at = (path: string): string => product.origin + path
  const signIn = async (page: Page, user: TestUser): Promise<void> => {
    await page.goto(at('/'))
    await page.locator('main a[href="/auth/sign_in"]').click()
    await page.locator('[name="user[email]"]').fill(user.email)
    await page.locator('[name="user[password]"]').fill(user.password)
    await page.locator('main form button[type=submit]').first().click()
    await page.waitForURL(at('/home'))
  }
  /** Adds 15 emoji reactions to a post, with long names of custom emoji. One is by an account that favourited the post. */
  const react = async (id: string, by: TestUser): Promise<void> => {
    const db = new pg.Client({ connectionString: product.databaseUrl })
    await db.connect()
    await db.query(
      `insert into statuses.reactions (account_id, status_id, name, domain, url, static_url, created_at)
         select case n when 1 then $2::bigint else n end, $1::bigint, repeat('long', 30) || n, 'far.example', $3, $3, now()
         from generate_series(1, 14) n
       union all select 99, $1::bigint, '🎉', null, null, null, now()`,
      [id, by.id, at('/icon-512.png')],
    )
    await db.query(
      `insert into statuses.status_stats (status_id, reactions) values ($1, 15)
       on conflict (status_id) do update set reactions = 15`,
      [id],
    )
    await db.end()
  }
  const writePost = async (page: Page, text: string): Promise<string> => {
    await page.locator('#status').fill(text)
    await page.locator('summary', { hasText: 'Pictures' }).click()
    await page.locator('#media-0').setInputFiles({ name: 'sea.png', mimeType: 'image/png', buffer: picture })
    await page.locator('#alt-0').fill('A calm blue sea')
    await page.getByRole('button', { name: 'Post', exact: true }).click()
    await page.waitForURL(/\/home#s-\d+$/)
    const { hash } = new URL(page.url())
    const post = page.locator(`article${hash}`)
    expect(await post.textContent()).toContain(text)
    const image = post.getByRole('img', { name: 'A calm blue sea' })
    await image.scrollIntoViewIfNeeded()
    await expect
      .poll(() => image.evaluate((one) => (one as unknown as { naturalWidth: number }).naturalWidth))
      .toBeGreaterThan(0)
    return hash.slice(3)
  }

  test('the first post with a picture is written after signing in, and a reply appears without a reload', async () => {
    const nora = await createUser(product, 'nora')
    const page = await (await browser.context()).newPage()
    await signIn(page, nora)
    expect(await overflowsOf(page, 'home-empty')).toEqual([])
    await page.locator('summary', { hasText: 'Pictures' }).click()
    await page.locator('summary', { hasText: 'Poll' }).click()
    await page.locator('summary', { hasText: 'Content warning' }).click()
    expect(await overflowsOf(page, 'home-compose')).toEqual([])
    await page.goto(at('/home'))
    await page.locator('#status').fill('x'.repeat(100))
    expect(await page.locator('[data-left]').textContent()).toBe('400')
    const id = await writePost(page, 'My first post')
    expect(await overflowsOf(page, 'home-first-post')).toEqual([])
    await page.locator(`#s-${id} .when`).click()
    await page.waitForURL(at(`/home/statuses/${id}`))
    await page.evaluate('window.kept = true')
    await friend.api.v1.statuses.create({ status: '@nora Welcome here!', inReplyToId: id })
    await page.locator('#posts article', { hasText: 'Welcome here!' }).waitFor()
    expect(await page.evaluate('window.kept'), 'the page was not loaded again').toBe(true)
    await expect.poll(() => page.locator('.unread').textContent()).toContain('1')
    expect(await overflowsOf(page, 'home-thread')).toEqual([])
    await page.close()
  })

  test('a post of a followed account appears on the home timeline without a reload', async () => {
    const lea = await createUser(product, 'lea')
    await lea.api.v1.accounts.$select(friend.id).follow()
    const page = await (await browser.context()).newPage()
    await signIn(page, lea)
    await friend.api.v1.statuses.create({ status: 'Fresh from the harbour' })
    await page.locator('#posts article', { hasText: 'Fresh from the harbour' }).waitFor()
    expect(await page.locator('#posts article').first().textContent()).toContain('Fresh from the harbour')
    await page.close()
  })

  test('the same post works without JavaScript', async () => {
    const otto = await createUser(product, 'otto')
    const page = await (await browser.context({ javaScriptEnabled: false })).newPage()
    await signIn(page, otto)
    const id = await writePost(page, 'Without scripts')
    await page.locator(`#s-${id}`).getByRole('button', { name: 'Favourite' }).click()
    await page.waitForURL(at(`/home#s-${id}`))
    expect(await page.locator(`#s-${id} .favourite`).getAttribute('aria-pressed')).toBe('true')
    await page.close()
  })

  test('the keyboard reaches the skip link, the navigation, the text and the button in this order', async () => {
    const kim = await createUser(product, 'kim')
    const page = await (await browser.context()).newPage()
    await signIn(page, kim)
    const reached: string[] = []
    for (let n = 0; n < 30; n++) {
      await page.keyboard.press('Tab')
      reached.push(
        await page.evaluate<string>(`(document.activeElement.id || document.activeElement.textContent).trim()`),
      )
    }
    const order = [
      'Skip to the content',
      'Home',
      'Notifications 0 unread',
      'status',
      'Content warning',
      'visibility',
      'language',
      'Post',
    ]
    const places = order.map((name) => reached.indexOf(name))
    expect(places, reached.join(' | ')).not.toContain(-1)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    await page.close()
  })

  test('no page overflows, every control has a name and headings follow each other', async () => {
    const { username, thread, quote } = await makeAuthor(product)
    const ida = await createUser(product, 'ida')
    const page = await (await browser.context()).newPage()
    await signIn(page, ida)
    const { id } = await ida.api.v1.accounts.lookup({ acct: username })
    await ida.api.v1.accounts.$select(id).follow()
    const { id: own } = await ida.api.v1.statuses.create({ status: 'A post about #starlings' })
    await friend.api.v1.statuses.$select(own).favourite()
    await react(own, friend)
    await friend.api.v1.statuses.$select(own).reblog()
    await friend.api.v1.accounts.$select(ida.id).follow()
    await friend.api.v1.statuses.create({ status: '@ida Are they back?', inReplyToId: own })
    await ida.api.v1.statuses.$select(thread.id).bookmark()
    await ida.api.v1.statuses.$select(thread.id).favourite()
    await product.waitForIdle()
    const paths: Record<string, string> = {
      timeline: '/home',
      notifications: '/home/notifications',
      search: `/home/search?q=${username}`,
      nothing: '/home/search?q=zzzz',
      local: '/home/local',
      remote: '/home/remote',
      bookmarks: '/home/bookmarks',
      favourites: '/home/favourites',
      profile: `/home/accounts/${id}`,
      own: '/home/profile',
      reactions: `/home/statuses/${own}`,
      public: `/@ida/${own}`,
      tag: '/home/tags/starlings',
      quote: `/home/statuses/${quote.id}`,
      quoting: `/home/compose?quote=${thread.id}`,
      apps: '/home/apps',
      landing: '/',
    }
    const faults: string[] = []
    for (const [name, path] of Object.entries(paths)) {
      await page.goto(at(path))
      faults.push(...(await overflowsOf(page, `home-${name}`)))
      for (const unnamed of await page.evaluate<string[]>(UNNAMED)) faults.push(`${name}: ${unnamed}`)
      const levels = await page.evaluate<number[]>(LEVELS)
      if (levels.filter((one) => one === 1).length !== 1) faults.push(`${name}: headings ${levels.join(' ')}`)
    }
    const german = await (await browser.context({ locale: 'de-DE' })).newPage()
    await signIn(german, ida)
    for (const name of ['timeline', 'notifications', 'search', 'profile', 'quote', 'quoting', 'apps']) {
      await german.goto(at(paths[name] ?? ''))
      expect(await german.locator('html').getAttribute('lang')).toBe('de')
      faults.push(...(await overflowsOf(german, `home-german-${name}`)))
    }
    expect(faults).toEqual([])
    await page.close()
  })
})
