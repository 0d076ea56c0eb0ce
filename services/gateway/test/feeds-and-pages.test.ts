/** RSS feeds, and details of pages: quotes, replies, counts, contact, password rule, null characters. */
import { app as accounts } from '@murmuration/accounts'
import { app as admin } from '@murmuration/admin'
import { createAccountByOperator } from '@murmuration/contracts/accounts'
import { createRule, publishTermsOfService, setSetting } from '@murmuration/contracts/admin'
import { sql } from '@murmuration/db'
import { app as media } from '@murmuration/media'
import { app as statuses } from '@murmuration/statuses'
import { openBrowser } from '@murmuration/testkit/browser/forms'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { app as gateway } from '../src/main.js'
import { federation, type Harness, PASSWORD, startHarness } from './harness.js'

let harness: Harness
const ids: Record<string, string> = {}
let rss = ''
beforeAll(async () => {
  harness = await startHarness({}, [gateway, accounts, statuses, media, admin, federation])
  const [ann, ben] = [await harness.createAccount('ann'), await harness.createAccount('ben')]
  const post = async (token: string, name: string, json: object) => {
    const answer = await harness.http('/api/v1/statuses', { token, json })
    expect(answer.status, answer.text).toBe(200)
    ids[name] = String(answer.json().id)
  }
  await post(ben, 'original', { status: 'a post by ben #owls' })
  await post(ann, 'quote', { status: 'look & see', quoted_status_id: ids.original })
  await post(ann, 'self', { status: 'and more', in_reply_to_id: ids.quote })
  await post(ann, 'warned', { status: 'a\u0008b <i> #owls', spoiler_text: 'a "warning"' })
  await post(ann, 'private', { status: 'SECRET #owls', visibility: 'private' })
  await post(ann, 'open', { status: 'an open reply', in_reply_to_id: ids.private })
  await post(ann, 'second', { status: 'a second reply', in_reply_to_id: ids.quote })
  await harness.http(`/api/v1/statuses/${ids.original}/reblog`, { token: ann, method: 'POST' })
  await harness.waitForIdle()
  rss = (await harness.http('/@ann.rss')).text
})
afterAll(() => harness.stop())

const articleWith = (page: string, text: string): string =>
  page
    .split('<article')
    .slice(1)
    .find((part) => part.includes(text)) ?? ''

test('an account has an RSS feed of its public posts, and its page names it', async () => {
  const answer = await harness.http('/@ann.rss')
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/rss+xml; charset=utf-8'])
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  expect(rss).toContain('look &amp;amp; see')
  expect(rss).toContain('a &amp;quot;warning&amp;quot;')
  expect(rss).not.toContain('SECRET')
  expect(rss).not.toContain('a post by ben')
  expect(rss).not.toContain('\u0008')
  const page = (await harness.http('/@ann')).text
  expect(page).toContain(`<link rel="alternate" type="application/rss+xml" title="ann (@ann@`)
  expect(page).toContain('/@ann.rss">')
  expect((await harness.http('/@ann.rss', { method: 'HEAD' })).status).toBe(200)
  for (const path of ['/@nobody.rss', '/@.rss', '/@ann@far.example.rss'])
    expect([path, (await harness.http(path)).status]).toEqual([path, 404])
})

test('an account has RSS feeds with replies, with media and with one hashtag', async () => {
  const textOf = async (path: string) => {
    const answer = await harness.http(path)
    expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
      path,
      200,
      'application/rss+xml; charset=utf-8',
    ])
    expect(answer.text).toContain(`${path}" rel="self"`)
    expect(answer.text).not.toContain('SECRET')
    expect(answer.text).not.toContain('a post by ben')
    return answer.text
  }
  const items = (text: string) => text.match(/<item>/g)?.length ?? 0
  expect(items(await textOf('/@ann/with_replies.rss'))).toBeGreaterThan(0)
  expect(items(await textOf('/@ann/media.rss'))).toBe(0)
  expect(items(await textOf('/@ann/tagged/owls.rss'))).toBe(1)
  const page = await harness.http('/@ann/tagged/owls')
  expect(page.text).toMatch(
    /<link rel="alternate" type="application\/rss\+xml" title="#owls \(@ann@[^"]+" href="[^"]+\/@ann\/tagged\/owls\.rss">/,
  )
  for (const path of [
    '/@nobody/with_replies.rss',
    '/@ann/tagged/1.rss',
    '/@ann/other.rss',
    '/@ann@far.example/media.rss',
  ])
    expect([path, (await harness.http(path)).status]).toEqual([path, 404])
})

test('the pages of Mastodon below a profile redirect to the profile, and also serve activity JSON', async () => {
  for (const part of ['with_replies', 'media', 'followers', 'following', 'featured', 'collections']) {
    const page = await harness.http(`/@ann/${part}`)
    expect([part, page.status, page.headers.get('location')]).toEqual([part, 302, '/@ann'])
    expect(page.headers.get('vary')).toContain('Accept')
  }
  expect((await harness.http('/@ann@far.example/media/')).headers.get('location')).toBe('/@ann%40far.example')
  const document = await harness.http('/@ann/with_replies', { headers: { accept: 'application/activity+json' } })
  expect([document.status, document.json().username]).toEqual([200, 'ann'])
  for (const path of ['/@ann/followers/2', '/@ann/other'])
    expect([path, (await harness.http(path)).status]).toEqual([path, 404])
})

test('the path of a feed ignores the Accept header, and its older path redirects to it', async () => {
  for (const accept of ['application/activity+json', 'application/rss+xml', 'application/json, */*;q=0.1'])
    expect((await harness.http('/@ann.rss', { headers: { accept } })).text).toBe(rss)
  const moved = await harness.http('/users/ann.rss', { redirect: 'manual' })
  expect([moved.status, moved.headers.get('location')]).toEqual([301, '/@ann.rss'])
})

test('a hashtag has an RSS feed, and its page names it', async () => {
  const answer = await harness.http('/tags/owls.rss')
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/rss+xml; charset=utf-8'])
  expect(answer.text).toContain('<title>#owls</title>')
  expect(answer.text).toContain('a post by ben')
  expect(answer.text).toContain('<category>owls</category>')
  expect(answer.text).not.toContain('SECRET')
  expect((await harness.http('/tags/owls')).text).toContain('/tags/owls.rss">')
  expect((await harness.http('/tags/1.rss')).status).toBe(404)
})

test('the page and the feed of a hashtag that staff made unusable give 404', async () => {
  const setUsable = (usable: boolean) =>
    harness.db('statuses').run(sql`update tags set usable = ${usable} where name = 'owls'`)
  const paths = ['/tags/owls', '/tags/OWLS', '/tags/owls.rss']
  const statusesOf = () => Promise.all(paths.map(async (path) => (await harness.http(path)).status))
  expect(await statusesOf()).toEqual([200, 200, 200])
  await setUsable(false)
  expect(await statusesOf()).toEqual([404, 404, 404])
  expect((await harness.http('/api/v1/timelines/tag/owls')).json()).not.toEqual([])
  await setUsable(true)
  expect(await statusesOf()).toEqual([200, 200, 200])
})

test('the line with the link to a quoted post is omitted above the quoted post and in titles', async () => {
  const page = (await harness.http(`/@ann/${ids.quote}`)).text
  expect(page).toContain('class="quoted"')
  expect(page).not.toContain('RE:')
  expect(page).toMatch(/<title>ann: look &amp; see/)
  expect((await harness.http('/@ann')).text).not.toContain('RE:')
})

test('the title of a post whose quote was revoked has no line with the link to the quoted post', async () => {
  const [author, fan] = [await harness.createAccount('quotee'), await harness.createAccount('quoter')]
  const post = async (token: string, json: object) =>
    (await harness.http('/api/v1/statuses', { token, json })).json<{ id: string }>().id
  const quoted = await post(author, { status: 'worth a quote', quote_approval_policy: 'public' })
  const id = await post(fan, { status: 'how true', quoted_status_id: quoted })
  await harness.waitForIdle()
  const path = `/api/v1/statuses/${quoted}/quotes/${id}/revoke`
  expect((await harness.http(path, { token: author, method: 'POST' })).status).toBe(200)
  await harness.waitForIdle()
  const page = (await harness.http(`/@quoter/${id}`)).text
  expect(page).not.toContain('class="quoted"')
  expect(page).toMatch(/<title>quoter: how true/)
  expect(page).toContain('<meta name="description" content="how true">')
  expect(articleWith(page, 'how true')).toContain('RE: ')
})

test('a reply in a list names the author of its parent, and in its thread it does not', async () => {
  expect(articleWith((await harness.http('/')).text, 'and more')).toContain('In reply to <bdi>@ann@')
  const thread = (await harness.http(`/@ann/${ids.quote}`)).text
  expect(articleWith(thread, 'and more')).not.toContain('In reply to')
  expect(articleWith(thread, 'a second reply')).toContain('In reply to <bdi>@ann@')
})

test('the page and the embedded page of a reply name the author of its parent unless the parent is directly above', async () => {
  const pageOf = async (path: string, text: string) => articleWith((await harness.http(path)).text, text)
  expect(await pageOf(`/@ann/${ids.self}`, 'and more')).not.toContain('In reply to')
  expect(await pageOf(`/@ann/${ids.self}/embed`, 'and more')).toContain('In reply to <bdi>@ann@')
  expect(await pageOf(`/@ann/${ids.open}`, 'an open reply')).toContain('<p class="above">In reply to <bdi>@ann@')
  const by = openBrowser({ headers: {}, follows: (url) => url.origin === harness.origin })
  await by.get(`${harness.origin}/auth/sign_in`)
  await by.submit(0, { fields: { 'user[email]': 'ben@mail.example', 'user[password]': PASSWORD } })
  const home = async (id: string | undefined, text: string) =>
    articleWith((await by.get(`${harness.origin}/home/statuses/${id}`)).html, text)
  expect(await home(ids.open, 'an open reply')).toContain('In reply to <bdi>@ann</bdi></p>')
  expect(await home(ids.self, 'and more')).not.toContain('In reply to')
  expect(await home(ids.quote, 'and more')).not.toContain('In reply to')
  expect(await home(ids.quote, 'a second reply')).toContain('In reply to <bdi>@ann</bdi></a>')
})

test('counts of zero are not shown', async () => {
  const page = (await harness.http('/')).text
  expect(page).not.toMatch(/>0 |<b>0<\/b>/)
  expect(articleWith((await harness.http('/@ben')).text, 'a post by ben')).toContain('1 boost')
  expect(articleWith(page, 'a &quot;warning&quot;')).not.toContain('class="counts"')
  expect((await harness.http('/@ben')).text).not.toMatch(/>0 /)
  await harness.createAccount('silent')
  expect((await harness.http('/@silent')).text).not.toMatch(/[>"]0 posts/)
})

test('the about page shows the oldest administrator until staff sets a contact', async () => {
  await harness.call(createAccountByOperator, {
    username: 'boss',
    email: 'boss@mail.example',
    confirmed: true,
    role: 'Owner',
  })
  expect((await harness.http('/about')).text).toMatch(/<h2>Contact<\/h2>.*@boss@/s)
  await harness.call(setSetting, { name: 'site_contact_email', value: 'staff@mail.example' })
  const about = async () => (await harness.http('/about')).text
  await expect.poll(about).toContain('mailto:staff@mail.example')
  expect(await about()).not.toContain('@boss@')
})

test('sign-up shows the password rule, and the agreement names server rules only if there are any', async () => {
  await harness.call(setSetting, { name: 'registrations_mode', value: 'open' })
  const signUp = async () => (await harness.http('/auth/sign_up?accept=1')).text
  await expect.poll(signUp).toContain('Use 8 to 128 characters, and no common password.')
  expect(await signUp()).not.toContain('/about#rules')
  expect(await signUp()).toContain('I agree to the <a href="/privacy-policy" target="_blank" rel="noopener">')
  await harness.call(createRule, { text: 'Be kind' } as never)
  await expect.poll(signUp).toContain('/about#rules')
})

test('pages name the terms of service from their effective date on', async () => {
  await harness.call(setSetting, { name: 'registrations_mode', value: 'open' })
  const publish = (text: string, days: number) => {
    const effective_date = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    return harness.call(publishTermsOfService, { text, effective_date })
  }
  const pageAt = async (path: string, language = 'en') =>
    (await harness.http(path, { headers: { 'accept-language': language } })).text
  const form = '/auth/sign_up?accept=1'
  // The footer has a value that is at most a minute old.
  const passMinute = () => {
    const clock = harness.host.running.find((one) => one.service === 'gateway')?.ctx.clock
    clock?.moveTo((clock.offset() ?? 0) + 61_000)
  }
  await publish('Be fair later.', 30)
  passMinute()
  for (const path of [form, '/about', '/@ann']) expect(await pageAt(path)).not.toContain('"/terms-of-service"')
  await publish('Be fair now.', 0)
  passMinute()
  const link = (text: string, more = '') => `<a href="/terms-of-service"${more}>${text}</a>`
  const apart = ' target="_blank" rel="noopener"'
  const policy = `<a href="/privacy-policy"${apart}>`
  await expect.poll(() => pageAt(form)).toContain(`${link('terms of service', apart)} and the ${policy}`)
  expect(await pageAt(form, 'de')).toContain(`${link('Nutzungsbedingungen', apart)} und ${policy}`)
  expect(await pageAt('/about')).toContain(`<p>${link('Terms of service')}</p>`)
  expect(await pageAt('/about', 'de')).toContain(`<p>${link('Nutzungsbedingungen')}</p>`)
  await expect.poll(() => pageAt('/@ann')).toMatch(new RegExp(`<footer.*${link('Terms of service')}`))
  const today = new Date().toISOString().slice(0, 10)
  for (const [day, status] of [
    [today, 200],
    [`${today}xyz`, 404],
    [today.slice(0, 9), 404],
    ['2020-01-01', 404],
  ] as const)
    for (const path of [`/terms-of-service/${day}`, `/api/v1/instance/terms_of_service/${day}`])
      expect([path, (await harness.http(path)).status]).toEqual([path, status])
  const by = openBrowser({ follows: (url) => url.origin === harness.origin })
  await by.get(`${harness.origin}${form}`)
  const refused = await by.submit(0, { fields: {} })
  expect([refused.status, refused.html.includes(link('terms of service', apart))]).toEqual([422, true])
})

test.each([
  '/oauth/authorize?client_id=a%00b&response_type=code&redirect_uri=x',
  '/oauth/authorize?client_id=%00',
  '/oauth/authorize?state=a?&client_id=%00&response_type=code&redirect_uri=x',
  '/@an%00n',
  '/@ann?max_id=1%00',
  '/tags/ow%00ls',
  '/auth/sign_up?invite_code=%00',
  '/auth/password/edit?reset_password_token=%00',
  '/auth/confirmation?confirmation_token=%00',
  '/share?text=%00',
  '/authorize_interaction?uri=%00',
])('a null character in %s is refused', async (path) => {
  const answer = await harness.http(path)
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect(answer.status).toBeLessThan(500)
})

test.each(['', '?code=', '?code[]=a'])(
  'the page of an authorization code gives 404 without a code: %j',
  async (query) => {
    expect((await harness.http(`/oauth/authorize/native${query}`)).status).toBe(404)
  },
)

test('a client secret with a null character is refused', async () => {
  for (const [client_id, client_secret] of [
    ['a\0b', 'x'],
    ['1', 'x\0'],
  ]) {
    const json = { grant_type: 'client_credentials', client_id, client_secret }
    const basic = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`
    const answers = await Promise.all([
      harness.http('/oauth/token', { json }),
      harness.http('/oauth/token', { json: { grant_type: 'client_credentials' }, headers: { authorization: basic } }),
      harness.http('/oauth/revoke', { json: { ...json, token: 'a\0' } }),
    ])
    for (const answer of answers) expect([400, 401, 403, 422]).toContain(answer.status)
  }
})

test('the consent page of an app without a redirect URI announces that a code is shown', async () => {
  const redirect_uris = 'urn:ietf:wg:oauth:2.0:oob'
  const app = await harness.http('/api/v1/apps', { json: { client_name: 'Shell', redirect_uris, scopes: 'read' } })
  const { client_id } = app.json<{ client_id: string }>()
  const browser = openBrowser({ headers: {}, follows: (url) => url.origin === harness.origin })
  await browser.get(`${harness.origin}/auth/sign_in`)
  await browser.submit(0, { fields: { 'user[email]': 'ann@mail.example', 'user[password]': PASSWORD } })
  const cookie = browser.cookies.header(new URL(harness.origin))
  const query = new URLSearchParams({ client_id, redirect_uri: redirect_uris, response_type: 'code', scope: 'read' })
  const page = (await harness.http(`/oauth/authorize?${query}`, { headers: { cookie } })).text
  expect(page).toContain('You will be shown a code to copy into the app.')
  expect(page).not.toContain('You will be redirected')
})
