/** Settings of automated post deletion, in a browser without JavaScript. */
import { changeCleanup, showCleanup } from '@murmuration/contracts/statuses'
import { type Browser, openBrowser, type Submission, type Visit } from '@murmuration/testkit/browser/forms'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, PASSWORD, startHarness } from './harness.js'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.stop())

const HERE = '/statuses_cleanup'
const at = (path: string) => `${harness.origin}${path}`
const formTo = (page: Visit, path: string) => {
  const form = page.forms.find((one) => new URL(one.action).pathname === path)
  if (!form) throw new Error(`no form for ${path} on ${page.title}: ${page.text.slice(0, 300)}`)
  return form
}
const visit = async (name: string): Promise<{ by: Browser; token: string; id: string }> => {
  const token = await harness.createAccount(name)
  const by = openBrowser({ headers: { 'accept-language': 'en' }, follows: (url) => url.origin === harness.origin })
  const signIn = await by.get(at(HERE))
  const fields = { 'user[email]': `${name}@mail.example`, 'user[password]': PASSWORD }
  await by.submit(formTo(signIn, '/auth/sign_in'), { fields })
  const { id } = (await harness.http('/api/v1/accounts/verify_credentials', { token })).json<{ id: string }>()
  return { by, token, id }
}
const save = (by: Browser, fields: NonNullable<Submission['fields']>) => by.submit(formTo(by.page(), HERE), { fields })
const chosenOn = (page: Visit) =>
  Object.fromEntries(
    formTo(page, HERE)
      .fields.filter((one) => (one.type === 'checkbox' ? one.checked : one.type === 'select' || one.type === 'number'))
      .map((one) => [one.name, one.value]),
  )

const UNTOUCHED = {
  ...{ age: '14', keep_pinned: '1', keep_direct: '1', keep_own_favourites: '1', keep_own_bookmarks: '1' },
  ...{ least_favourites: '', least_reblogs: '' },
}

test('saved settings are stored and shown again', async () => {
  const { by, id } = await visit('alice')
  expect([by.page().url, by.page().status, by.page().scripts]).toEqual([at(HERE), 200, 0])
  expect(chosenOn(by.page())).toEqual(UNTOUCHED)
  const saved = await save(by, {
    ...{ enabled: true, age: '365', keep_pinned: false, keep_direct: false, keep_polls: true, keep_media: true },
    ...{ keep_own_favourites: false, keep_own_bookmarks: false, least_favourites: '5', least_reblogs: '' },
  })
  expect([saved.status, saved.text.includes('Saved.')]).toEqual([200, true])
  const chosen = {
    enabled: '1',
    age: '365',
    keep_polls: '1',
    keep_media: '1',
    least_favourites: '5',
    least_reblogs: '',
  }
  expect(chosenOn(saved)).toEqual(chosen)
  expect(await harness.call(showCleanup, { account: id })).toEqual({
    ...{ enabled: true, age: 365, keepPinned: false, keepDirect: false, keepPolls: true, keepMedia: true },
    ...{ keepOwnFavourites: false, keepOwnBookmarks: false, leastFavourites: 5, leastReblogs: null },
  })
})

test('A095 D014 invalid values, and forms without a CSRF token, change nothing', async () => {
  const { by, token, id } = await visit('bob')
  const wrong: NonNullable<Submission['fields']>[] = [
    { enabled: true, age: '1' },
    { enabled: true, age: '' },
    { enabled: true, least_favourites: '0' },
    { enabled: true, least_reblogs: '1000001' },
    { enabled: true, least_reblogs: 'many' },
  ]
  for (const fields of wrong) {
    await by.get(at(HERE))
    const refused = await save(by, fields)
    expect([refused.status, refused.alerts]).toEqual([422, ['Choose one of the listed values.']])
  }
  const cookie = by.cookies.header(new URL(harness.origin)) ?? ''
  const body = new URLSearchParams({ enabled: '1', age: '7' })
  expect((await harness.http(HERE, { method: 'POST', body, headers: { cookie } })).status).toBe(403)
  expect((await harness.http(HERE, { token })).headers.get('location')).toBe('/auth/sign_in?next=%2Fstatuses_cleanup')
  expect(changeCleanup.http).toEqual([])
  expect(await harness.call(showCleanup, { account: id })).toMatchObject({ enabled: false, age: 14 })
})
