/** Preferences page in a browser without JavaScript, and its effect on apps and timelines. */
import { changePreferences } from '@murmuration/contracts/accounts'
import { type Browser, openBrowser, type Submission, type Visit } from '@murmuration/testkit/browser/forms'
import { languages } from '@murmuration/text'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, PASSWORD, startHarness } from './harness.js'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.stop())

const HERE = '/settings/preferences'
const at = (path: string) => `${harness.origin}${path}`

const formTo = (page: Visit, path: string) => {
  const form = page.forms.find((one) => new URL(one.action).pathname === path)
  if (!form) throw new Error(`no form for ${path} on ${page.title}: ${page.text.slice(0, 300)}`)
  return form
}
/** Creates an account, and a browser that is signed in and shows its preferences. */
const visit = async (name: string, language = 'en'): Promise<{ by: Browser; token: string }> => {
  const token = await harness.createAccount(name)
  const headers = { 'accept-language': language }
  const by = openBrowser({ headers, follows: (url) => url.origin === harness.origin })
  const signIn = await by.get(at(HERE))
  const fields = { 'user[email]': `${name}@mail.example`, 'user[password]': PASSWORD }
  await by.submit(formTo(signIn, '/auth/sign_in'), { fields })
  return { by, token }
}
const save = (by: Browser, fields: Submission['fields']) =>
  by.submit(formTo(by.page(), HERE), fields === undefined ? {} : { fields })
const chosenOn = (page: Visit) =>
  Object.fromEntries(
    formTo(page, HERE)
      .fields.filter((one) => one.type === 'select' || one.checked)
      .map((one) => [one.name === 'languages[]' ? `reads ${one.value}` : one.name, one.value]),
  )
const preferences = async (token: string) => (await harness.http('/api/v1/preferences', { token })).json()

const UNTOUCHED = {
  locale: 'en',
  time_zone: 'UTC',
  privacy: '',
  quote_policy: 'public',
  language: '',
  expand_media: 'default',
}

test('saved preferences are shown again and returned to apps', async () => {
  const { by, token } = await visit('alice')
  expect([by.page().url, by.page().status, by.page().scripts]).toEqual([at(HERE), 200, 0])
  expect(chosenOn(by.page())).toEqual({ ...UNTOUCHED, show_application: '1', aggregate_reblogs: '1' })
  const saved = await save(by, {
    locale: 'de',
    time_zone: 'Europe/Berlin',
    privacy: 'unlisted',
    quote_policy: 'nobody',
    language: 'fr',
    expand_media: 'show_all',
    sensitive: true,
    show_application: false,
    expand_spoilers: true,
    autoplay_gifs: true,
    aggregate_reblogs: false,
    'languages[]': ['de', 'ja'],
  })
  expect([saved.status, saved.text.includes('Saved.')]).toEqual([200, true])
  expect(chosenOn(saved)).toEqual({
    locale: 'de',
    time_zone: 'Europe/Berlin',
    privacy: 'unlisted',
    quote_policy: 'nobody',
    language: 'fr',
    expand_media: 'show_all',
    sensitive: '1',
    expand_spoilers: '1',
    autoplay_gifs: '1',
    'reads de': 'de',
    'reads ja': 'ja',
  })
  expect(await preferences(token)).toEqual({
    'posting:default:visibility': 'unlisted',
    'posting:default:sensitive': true,
    'posting:default:language': 'fr',
    'posting:default:quote_policy': 'nobody',
    'reading:expand:media': 'show_all',
    'reading:expand:spoilers': true,
    'reading:autoplay:gifs': true,
  })
  const back = await save(by, { privacy: '', language: '', sensitive: false, 'languages[]': [] })
  expect(chosenOn(back)).toMatchObject({ privacy: '', language: '' })
  expect(Object.keys(chosenOn(back)).filter((name) => name.startsWith('reads '))).toEqual([])
  expect(await preferences(token)).toMatchObject({
    'posting:default:visibility': 'public',
    'posting:default:sensitive': false,
    'posting:default:language': 'de',
  })
})

test('S-097 the chosen languages filter public timelines, but not hashtag timelines', async () => {
  const { by, token } = await visit('bob')
  const author = await harness.createAccount('writer')
  const write = async (language: string) =>
    (
      await harness.http('/api/v1/statuses', { token: author, json: { status: `${language} #tongues`, language } })
    ).json<{
      id: string
    }>().id
  const [german, french] = [await write('de'), await write('fr')]
  const idsOf = async (path: string) =>
    (await harness.http(path, { token })).json<{ id: string }[]>().map((one) => one.id)
  const everything = [french, german]
  await expect.poll(() => idsOf('/api/v1/timelines/public')).toEqual(everything)
  await save(by, { 'languages[]': ['de'] })
  expect(await idsOf('/api/v1/timelines/public')).toEqual([german])
  await expect.poll(() => idsOf('/api/v1/timelines/tag/tongues')).toEqual(everything)
  await by.get(at(HERE))
  await save(by, { 'languages[]': [] })
  expect(await idsOf('/api/v1/timelines/public')).toEqual(everything)
})

test('every language can be chosen and has a name', async () => {
  const { by } = await visit('carol')
  const offered = formTo(by.page(), HERE).fields.filter((one) => one.name === 'languages[]')
  expect(offered.map((one) => one.value).sort()).toEqual(languages.map((one) => one.code).sort())
  expect(offered.filter((one) => one.label.trim() === '')).toEqual([])
  const all = await save(by, { 'languages[]': offered.map((one) => one.value) })
  expect([all.status, all.alerts]).toEqual([200, []])
})

test('each language has a name of its own', async () => {
  const namesIn = async (username: string, language: string): Promise<Map<string, string>> => {
    const { by } = await visit(username, language)
    const choices = by.page().html.matchAll(/name="languages\[\]" value="([^"]+)"[^>]*> ([^<]+)</g)
    return new Map([...choices].map(([, code = '', name = '']) => [code, name]))
  }
  const [english, german] = await Promise.all([namesIn('eve', 'en'), namesIn('gerd', 'de')])
  expect([english.size, new Set(english.values()).size]).toEqual([languages.length, languages.length])
  expect([german.size, new Set(german.values()).size]).toEqual([languages.length, languages.length])
  expect(['ak', 'tw', 'tl'].map((code) => english.get(code))).toEqual(['Akan', 'Twi', 'Tagalog'])
  expect(['tw', 'cnr'].map((code) => german.get(code))).toEqual(['Twi', 'Montenegrinisch'])
})

test('A095 D014 invalid values, and forms without a CSRF token, change nothing', async () => {
  const { by, token } = await visit('dora')
  const before = await preferences(token)
  for (const [fields, words] of [
    [{ expand_media: 'sometimes', sensitive: true }, 'Choose one of the listed values.'],
    [{ locale: '', sensitive: true }, 'Choose one of the listed values.'],
    [{ time_zone: 'Middle/Earth', sensitive: true }, 'Time zone is not included in the list.'],
    [{ language: 'tlh', sensitive: true }, 'Language is not included in the list.'],
  ] as const) {
    await by.get(at(HERE))
    const refused = await save(by, fields)
    expect([refused.status, refused.alerts]).toEqual([422, [words]])
  }
  const cookie = by.cookies.header(new URL(harness.origin)) ?? ''
  const body = new URLSearchParams({ locale: 'de', quote_policy: 'nobody', expand_media: 'show_all' })
  expect((await harness.http(HERE, { method: 'POST', body, headers: { cookie } })).status).toBe(403)
  expect((await harness.http(HERE, { method: 'POST', body })).status).toBe(403)
  expect(await preferences(token)).toEqual(before)
})

test('a bearer token does not give access to the page, and the operation has no API route', async () => {
  const token = await harness.createAccount('erin')
  const shown = await harness.http(HERE, { token })
  expect([shown.status, shown.headers.get('location')]).toEqual([303, '/auth/sign_in?next=%2Fsettings%2Fpreferences'])
  expect(changePreferences.http).toEqual([])
})

test('the page is in the navigation of the settings, and in the language of the viewer', async () => {
  const { by } = await visit('fritz', 'de')
  const german = by.page()
  expect([german.title, /<h1>([^<]+)</.exec(german.html)?.[1]]).toEqual([
    expect.stringContaining('Vorlieben'),
    'Vorlieben',
  ])
  const saved = await save(by, { 'languages[]': ['fr'] })
  expect(saved.text).toContain('Gespeichert.')
  const english = await openBrowser({
    headers: { cookie: by.cookies.header(new URL(harness.origin)) ?? '', 'accept-language': 'en' },
  }).get(at(HERE))
  expect(english.links.filter((one) => one.href === at(HERE)).map((one) => one.text)).toEqual(['Preferences'])
  const texts = (page: Visit) =>
    [...page.html.matchAll(/>([^<>]+)</g)].map(([, text = '']) => text.trim()).filter((text) => /\p{L}{2}/u.test(text))
  const said = new Set(texts(saved))
  const names = new Set(
    ['UTC', ...Intl.supportedValuesOf('timeZone')].concat(
      [...english.html.matchAll(/name="languages\[\]"[^>]*> ([^<]+)</g)].map(([, name = '']) => name),
    ),
  )
  const alike = [...new Set(texts(english))].filter((text) => said.has(text) && !names.has(text))
  expect(alike).toEqual(['Murmuration', '@fritz', 'Apps'])
})
