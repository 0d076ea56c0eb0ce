/** Shared parts of browser tests of the pages below `/admin`: a moderator in Chromium without scripts, and faults of a page. */
import type { Product } from '@murmuration/testkit'
import type { Page } from 'playwright-core'
import { createUser, requestAs, type TestUser } from '../product.js'
import type { TestBrowser } from './chromium.js'

export interface Moderator {
  readonly person: TestUser
  readonly page: Page
  at(path: string): string
  open(path: string): Promise<void>
  /** Presses the first button with this text. */
  press(name: string): Promise<void>
  /** Sends a GET request to the API as this account. Returns the parsed body. */
  asked<T>(path: string): Promise<T>
  send(method: string, path: string, body: object): Promise<Response>
}

/** An account with a role, signed in to a browser that runs no script. */
export const openModerator = async (
  product: Product,
  browser: TestBrowser,
  { username = 'moderator', role = 'Owner', locale = 'en-GB' } = {},
): Promise<Moderator> => {
  const user = await createUser(product, username, {
    role,
    scopes: 'read write follow push admin:read admin:write',
  })
  const page = await (await browser.context({ javaScriptEnabled: false, locale })).newPage()
  const at = (path: string): string => product.origin + path
  await page.goto(at('/auth/sign_in'))
  await page.locator('[name="user[email]"]').fill(user.email)
  await page.locator('[name="user[password]"]').fill(user.password)
  await page.locator('main form button[type=submit]').first().click()
  await page.waitForURL(at('/home'))
  return {
    person: user,
    page,
    at,
    open: async (path) => void (await page.goto(at(path))),
    press: (name) => page.getByRole('button', { name, exact: true }).first().click(),
    asked: async <T>(path: string) => (await requestAs(product, user, path)).json() as Promise<T>,
    send: (method, path, body) => requestAs(product, user, path, { method, body: JSON.stringify(body) }),
  }
}

/** Sends a sign-up with a reason, as an app does. Returns the HTTP status. */
export const signUp = async (origin: string, username: string): Promise<number> => {
  const post = (path: string, body: object, token?: string) =>
    fetch(origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      body: JSON.stringify(body),
    })
  const scopes = 'read write'
  const app = { client_name: 'app', redirect_uris: 'urn:ietf:wg:oauth:2.0:oob', scopes }
  const { client_id, client_secret } = (await (await post('/api/v1/apps', app)).json()) as Record<string, string>
  const grant = { grant_type: 'client_credentials', client_id, client_secret, scope: scopes }
  const { access_token } = (await (await post('/oauth/token', grant)).json()) as Record<string, string>
  const wish = {
    username,
    email: `${username}@example.org`,
    password: 'correct horse battery',
    agreement: true,
    locale: 'en',
    reason: 'I watch starlings at the harbour and want to talk with others who do.',
  }
  return (await post('/api/v1/accounts', wish, access_token)).status
}

/** Runs in the page: returns tables that are cut off, controls without a name, skipped heading levels, and duplicate ids. */
const FAULTS = `(() => {
  const controls = [...document.querySelectorAll('main input:not([type=hidden]), main select, main textarea, main button, main summary, main a')]
  const isNamed = (one) =>
    [...(one.labels ?? [])].some((label) => label.textContent.trim()) ||
    one.getAttribute('aria-label') || one.textContent.trim() || one.querySelector('img[alt]:not([alt=""])')
  const isInput = (one) => /^(INPUT|SELECT|TEXTAREA)$/.test(one.tagName)
  const isLabelled = (one) => [...(one.labels ?? [])].some((label) => label.textContent.trim()) || one.getAttribute('aria-label')
  const unnamed = controls.filter((one) => (isInput(one) ? !isLabelled(one) : !isNamed(one)))
  const levels = [...document.querySelectorAll('h1, h2, h3, h4')].map((one) => Number(one.tagName[1]))
  const first = levels.filter((level) => level === 1).length
  const skipped = levels.some((level, at) => level > (levels[at - 1] ?? 0) + 1)
  const ids = [...document.querySelectorAll('[id]')].map((one) => one.id)
  const twice = ids.filter((id, at) => ids.indexOf(id) !== at)
  const described = [...document.querySelectorAll('[aria-describedby]')]
    .flatMap((one) => one.getAttribute('aria-describedby').split(' '))
    .filter((id) => !document.getElementById(id))
  const cut = [...document.querySelectorAll('.grid, .tabs')].filter((one) => one.scrollWidth > one.clientWidth + 1)
  return [
    ...cut.map((one) => 'a part is wider than its frame: ' + one.textContent.slice(0, 80)),
    ...unnamed.map((one) => 'no label: ' + one.outerHTML.slice(0, 120)),
    ...(first === 1 ? [] : [first + ' headings of the first level']),
    ...(skipped ? ['a heading skips a level: ' + levels.join(' ')] : []),
    ...twice.map((id) => 'an id is there twice: ' + id),
    ...described.map((id) => 'no description with the id ' + id),
  ]
})()`

/** Faults of the current page, one sentence each. */
export const faultsOf = (page: Page): Promise<string[]> => page.evaluate<string[]>(FAULTS)

/** Runs in the page: returns kinds of controls whose focus is not visible. */
const FOCUS = `(() => {
  const kinds = new Map([...document.querySelectorAll('main a, main button:not(:disabled), main input:not([type=hidden], :disabled), main select:not(:disabled), main textarea, main summary')]
    .filter((one) => one.checkVisibility()).map((one) => [one.tagName + (one.type ?? ''), one]))
  return [...kinds].flatMap(([kind, one]) => {
    one.focus({ focusVisible: true })
    const { outlineStyle, outlineWidth } = getComputedStyle(one)
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 ? [] : ['the focus cannot be seen: ' + kind]
  })
})()`
export const focusFaultsOf = (page: Page): Promise<string[]> => page.evaluate<string[]>(FOCUS)
