/** Pages are in the requested language, and completely translated. */
import { app as accounts } from '@murmuration/accounts'
import { app as admin } from '@murmuration/admin'
import { setSetting } from '@murmuration/contracts/admin'
import { app as media } from '@murmuration/media'
import { app as notifications } from '@murmuration/notifications'
import { app as statuses } from '@murmuration/statuses'
import { openBrowser } from '@murmuration/testkit/browser/forms'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { app as gateway } from '../src/main.js'
import { SECTIONS } from '../src/pages/core/settings-sections.js'
import { federation, type Harness, PASSWORD, startHarness } from './harness.js'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness({}, [gateway, accounts, statuses, media, federation, admin, notifications])
  await harness.call(setSetting, { name: 'registrations_mode', value: 'open' })
  await vi.waitFor(async () => expect((await harness.http('/auth/sign_up')).status).toBe(200), { timeout: 30_000 })
})
afterAll(() => harness.stop())

const languageOf = (html: string) => /<html lang="([^"]+)">/.exec(html)?.[1]
/** Texts between tags, and values of aria-label. */
const textsOf = (html: string): string[] =>
  [...html.slice(html.indexOf('<title>')).matchAll(/>([^<>]+)<|aria-label="([^"]+)"/g)]
    .map((found) => (found[1] ?? found[2] ?? '').trim())
    .filter((text) => /\p{L}{2}/u.test(text))
const page = async (path: string, language: string, cookie = '') =>
  (await harness.http(path, { headers: { 'accept-language': language, ...(cookie ? { cookie } : {}) } })).text
/** Texts that a page has in both languages. */
const alike = async (path: string, cookie = '') => {
  const [english, german] = await Promise.all([page(path, 'en', cookie), page(path, 'de', cookie)])
  expect([languageOf(english), languageOf(german)], path).toEqual(['en', 'de'])
  const said = new Set(textsOf(german))
  return textsOf(english).filter((text) => said.has(text))
}

test('a page is in the language of `lang`, else in the first of Accept-Language that it has, else in English', async () => {
  const heading = async (path: string, language = '') => {
    const text = await page(path, language)
    return [languageOf(text), /<h1>([^<]+)</.exec(text)?.[1]]
  }
  expect(await heading('/auth/sign_in')).toEqual(['en', 'Sign in'])
  expect(await heading('/auth/sign_in', 'de-AT,en;q=0.5')).toEqual(['de', 'Anmelden'])
  expect(await heading('/auth/sign_in', 'eo,de;q=0.5')).toEqual(['de', 'Anmelden'])
  expect(await heading('/auth/sign_in', 'eo')).toEqual(['en', 'Sign in'])
  expect(await heading('/auth/sign_in?lang=de', 'en')).toEqual(['de', 'Anmelden'])
  expect(await heading('/auth/sign_in?lang=xx', 'de')).toEqual(['en', 'Sign in'])
})

test.each([
  '/auth/sign_in',
  '/auth/sign_up',
  '/auth/password/new',
  '/auth/confirmation/new',
  '/auth/confirmation',
  '/no/such',
  '/',
  '/about',
  '/share?text=7',
  '/share',
  '/authorize_interaction?uri=7@far.example',
  '/authorize_interaction?uri=',
  '/tags/7a',
])('%s has no English text in German', async (path) => {
  const names = ['Murmuration', 'GNU Affero', '@', '#']
  const left = (await alike(path)).filter((text) => !names.some((one) => text.startsWith(one)))
  expect(left).toEqual([])
})

/** Creates an account and signs in; returns the Cookie header. */
const signIn = async (name: string): Promise<string> => {
  await harness.createAccount(name)
  const browser = openBrowser({ follows: (url) => url.origin === harness.origin })
  await browser.get(`${harness.origin}/auth/sign_in`)
  const form = browser.page().forms.find((one) => one.action.endsWith('/auth/sign_in'))
  if (!form) throw new Error('no form to sign in')
  await browser.submit(form, { fields: { 'user[email]': `${name}@mail.example`, 'user[password]': PASSWORD } })
  return browser.cookies.header(new URL(harness.origin)) ?? ''
}

test('the settings pages have no English text in German', async () => {
  const cookie = await signIn('greta')
  const paths = ['/severed_relationships', '/settings/aliases', '/settings/imports', ...SECTIONS.map((one) => one.path)]
  const names = ['Murmuration', '@', 'greta', 'localhost', 'Apps', 'Command line', '(', 'CSV', 'JSON', 'Import']
  for (const path of paths) {
    // Names may be the same in both languages; the preferences page has its own test.
    if (path === '/settings/preferences' || path === '/settings/providers') continue
    const left = (await alike(path, cookie)).filter((text) => !names.some((one) => text.startsWith(one)))
    expect([path, left]).toEqual([path, []])
  }
})

test('errors of a form are in the language of the page', async () => {
  const cookie = await signIn('hanna')
  const browser = openBrowser({
    headers: { 'accept-language': 'de', cookie },
    follows: (url) => url.origin === harness.origin,
  })
  const form = (await browser.get(`${harness.origin}/settings/delete`)).forms.find((one) =>
    one.action.endsWith('/delete'),
  )
  if (!form) throw new Error('no form to leave')
  const refused = await browser.submit(form, { fields: { password: 'wrong' } })
  expect([refused.status, refused.alerts]).toEqual([422, ['Das Passwort stimmt nicht.']])
})

test('the consent page is in the language of the viewer, and the name of the app is not translated', async () => {
  const cookie = await signIn('alice')
  const made = await harness.http('/api/v1/apps', {
    json: { client_name: 'Save', redirect_uris: 'urn:ietf:wg:oauth:2.0:oob', scopes: 'read write:lists' },
  })
  const { client_id } = made.json<{ client_id: string }>()
  const query = new URLSearchParams({
    client_id,
    redirect_uri: 'urn:ietf:wg:oauth:2.0:oob',
    response_type: 'code',
    scope: 'read write:lists',
  })
  const german = await page(`/oauth/authorize?${query}`, 'de', cookie)
  expect(german).toContain('<h1>Save autorisieren?</h1>')
  expect(german).toMatch(/<strong>Save<\/strong> möchte auf dein Konto <strong>@\w+<\/strong> zugreifen\./)
  expect(german).toContain('ändern: Listen <span class="muted">(write:lists)</span>')
})

test('cacheable pages vary by Accept-Language', async () => {
  const about = await harness.http('/about', { headers: { 'accept-language': 'de' } })
  expect(about.headers.get('vary')).toContain('Accept-Language')
  expect(about.headers.get('cache-control')).toContain('public')
})
