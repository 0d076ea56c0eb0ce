/** Public pages: content, escaping, privacy, security headers and redirects. */
import { app as accounts } from '@murmuration/accounts'
import { app as admin } from '@murmuration/admin'
import { putRemote } from '@murmuration/contracts/accounts'
import { setSetting } from '@murmuration/contracts/admin'
import { WebAppManifest } from '@murmuration/contracts/entities'
import { app as media } from '@murmuration/media'
import { app as statuses } from '@murmuration/statuses'
import { remoteActor } from '@murmuration/testkit'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { app as gateway } from '../src/main.js'
import { federation, type Harness, type StubResponse, startHarness } from './harness.js'

let harness: Harness
let alice = ''
let bob = ''
const ids: Record<string, string> = {}
const MARK = 'SECRETMARK'

beforeAll(async () => {
  harness = await startHarness({}, [gateway, accounts, statuses, media, admin, federation])
  ;[alice, bob] = [await harness.createAccount('alice'), await harness.createAccount('bob')]
  await harness.http('/api/v1/accounts/update_credentials', {
    method: 'PATCH',
    token: alice,
    json: {
      display_name: '<b>Alice</b> & "Co"',
      note: 'About birds. <script>alert(1)</script>',
      fields_attributes: [{ name: '<i>Site</i>', value: 'https://alice.example/' }],
    },
  })
  const post = async (token: string, name: string, json: object) => {
    const answer = await harness.http('/api/v1/statuses', { token, json })
    expect(answer.status, answer.text).toBe(200)
    ids[name] = String(answer.json().id)
  }
  await post(alice, 'public', { status: 'Seen by all <img src=x onerror=1> #starlings' })
  await post(alice, 'unlisted', { status: `${MARK}-quiet`, visibility: 'unlisted' })
  await post(alice, 'private', { status: `${MARK}-followers`, visibility: 'private' })
  await post(alice, 'direct', { status: `@bob ${MARK}-direct`, visibility: 'direct' })
  await post(alice, 'warned', { status: `${MARK}-hidden`, spoiler_text: 'A "warning" <b>' })
  await post(bob, 'reply', { status: '@alice an answer', in_reply_to_id: ids.public })
  await post(bob, 'secret-reply', { status: `@alice ${MARK}-reply`, in_reply_to_id: ids.public, visibility: 'direct' })
  ids.boost = String(
    (await harness.http(`/api/v1/statuses/${ids.public}/reblog`, { token: bob, method: 'POST' })).json().id,
  )
  await harness.http(`/api/v1/statuses/${ids.public}/pin`, { token: alice, method: 'POST' })
  await harness.waitForIdle()
})
afterAll(() => harness.stop())

type Element = DefaultTreeAdapterTypes.Element
/** All elements of a page. */
const elements = (text: string): Element[] => {
  const found: Element[] = []
  const walk = (node: DefaultTreeAdapterTypes.Node): void => {
    if ('tagName' in node) found.push(node)
    if ('childNodes' in node) for (const child of node.childNodes) walk(child)
  }
  walk(parse(text))
  return found
}
const attribute = (element: Element, name: string) => element.attrs.find((one) => one.name === name)?.value
const metaOf = (page: StubResponse, property: string): string | undefined => {
  const found = elements(page.text).find(
    (one) => one.tagName === 'meta' && (attribute(one, 'property') ?? attribute(one, 'name')) === property,
  )
  return found && attribute(found, 'content')
}
const textOf = (page: StubResponse): string => page.text.replace(/<[^>]+>/g, ' ')

const everyPage = () => [
  '/',
  '/about',
  '/privacy-policy',
  '/@alice',
  `/@alice/${ids.public}`,
  `/@alice/${ids.warned}`,
  '/tags/starlings',
  '/@alice/tagged/starlings',
  '/auth/sign_in',
  '/oauth/authorize',
  '/oauth/authorize/native?code=abc',
  '/nothing',
]

test('redirects, small files, documents and preflights carry the security headers of pages', async () => {
  const paths = [
    '/health',
    '/manifest',
    '/robots.txt',
    '/api/openapi.json',
    '/.well-known/change-password',
    '/settings',
  ]
  const more = [
    '/system/media/none',
    `/system/cache/a1-${'0'.repeat(40)}`,
    '/favicon.ico',
    '/@alice/',
    '/%',
    '/auth/sign_out',
  ]
  const answers = await Promise.all([...paths, ...more].map(async (path) => [path, await harness.http(path)] as const))
  const preflight = await harness.http('/api/v1/instance', { method: 'OPTIONS' })
  const json = await harness.http('/nothing', { headers: { accept: 'application/json' } })
  for (const [path, { headers }] of [...answers, ['a preflight', preflight] as const, ['JSON', json] as const]) {
    expect(headers.get('x-content-type-options'), path).toBe('nosniff')
    expect(headers.get('referrer-policy'), path).toBe('same-origin')
  }
})

test('the redirect to a file that is not fetched yet has the CORS headers of the file', async () => {
  const { status, headers } = await harness.http(`/system/cache/a1-${'0'.repeat(40)}`)
  expect(status).toBe(302)
  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
})

test('A151 D025 every page has a strict CSP, no scripts and no inline styles, and is complete and accessible HTML', async () => {
  for (const path of everyPage()) {
    const page = await harness.http(path)
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy, path).toContain("default-src 'none'")
    for (const part of ["base-uri 'none'", "frame-ancestors 'none'", "form-action 'self'", "style-src 'self'"])
      expect(policy, path).toContain(part)
    expect(policy).not.toMatch(/unsafe|script-src|\*/)
    expect(page.headers.get('x-frame-options')).toBe('DENY')
    expect(page.headers.get('x-content-type-options')).toBe('nosniff')
    expect(page.headers.get('access-control-allow-origin')).toBeNull()
    expect(page.headers.get('x-powered-by')).toBeNull()
    const all = elements(page.text)
    for (const tag of ['script', 'style', 'iframe', 'object', 'embed', 'base'])
      expect(
        all.filter((one) => one.tagName === tag),
        `${tag} on ${path}`,
      ).toEqual([])
    for (const one of all) {
      for (const { name, value } of one.attrs) {
        expect(name, `${path}: ${value}`).not.toMatch(/^on|^style$|srcdoc/)
        expect(value).not.toMatch(/^\s*(?:javascript|data):/i)
      }
      if (one.tagName === 'img') expect(attribute(one, 'alt'), `a picture on ${path}`).toBeDefined()
      if (one.tagName === 'input' && attribute(one, 'type') !== 'hidden')
        expect(all.some((label) => label.tagName === 'label' && attribute(label, 'for') === attribute(one, 'id'))).toBe(
          true,
        )
    }
    expect(all.filter((one) => one.tagName === 'h1').length, path).toBe(1)
    expect(attribute(all.find((one) => one.tagName === 'html') as Element, 'lang')).toBe('en')
    expect(all.some((one) => one.tagName === 'main')).toBe(true)
    const ids = all.map((one) => attribute(one, 'id')).filter(Boolean)
    expect(new Set(ids).size).toBe(ids.length)
  }
})

test('the style sheet and pictures of a page exist and are cacheable', async () => {
  const page = await harness.http('/@alice')
  const named = elements(page.text).flatMap((one) =>
    one.tagName === 'link' &&
    ['stylesheet', 'icon', 'apple-touch-icon', 'manifest'].includes(attribute(one, 'rel') ?? '')
      ? [attribute(one, 'href') ?? '']
      : one.tagName === 'img'
        ? [(attribute(one, 'src') ?? '').replace(harness.origin, '')]
        : [],
  )
  expect(named.length).toBeGreaterThan(5)
  for (const path of new Set(named)) {
    const file = await harness.http(path)
    expect([path, file.status]).toEqual([path, 200])
    expect(file.headers.get('cache-control')).toContain('public')
    const etag = file.headers.get('etag')
    if (etag) expect((await harness.http(path, { headers: { 'if-none-match': etag } })).status).toBe(304)
  }
})

test('A150 A156 HTML in names, biographies, fields, content warnings and statuses is escaped or sanitised', async () => {
  for (const path of ['/@alice', `/@alice/${ids.public}`, `/@alice/${ids.warned}`, '/']) {
    const page = await harness.http(path)
    expect(page.status).toBe(200)
    expect(page.text).not.toMatch(/<script|onerror=1>|<b>Alice|<i>Site/)
  }
  expect(textOf(await harness.http('/@alice'))).toContain('&lt;b&gt;Alice&lt;/b&gt; &amp; &quot;Co&quot;')
})

test('A045 A046 I6 private and direct statuses are on no public page', async () => {
  const pages = await Promise.all(
    ['/', '/@alice', '/@bob', `/@alice/${ids.public}`, '/tags/starlings'].map((path) => harness.http(path)),
  )
  for (const page of pages)
    for (const secret of ['followers', 'direct', 'reply']) expect(page.text).not.toContain(`${MARK}-${secret}`)
  expect((await harness.http(`/@alice/${ids.unlisted}`)).text).toContain(`${MARK}-quiet`)
})

test('D048 hidden and missing objects get the same 404 page', async () => {
  const shape = ({ status, headers, text }: StubResponse) => ({
    status,
    text: text.replace(/Request [\w-]+/, ''),
    headers: [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name)),
  })
  const absent = shape(await harness.http('/@alice/1'))
  expect(absent.status).toBe(404)
  for (const path of [
    `/@alice/${ids.private}`,
    `/@alice/${ids.direct}`,
    `/@bob/${ids['secret-reply']}`,
    `/@bob/${ids.public}`,
    '/@alice/99999999999999999999999',
    '/@alice/x',
    '/@nobody',
    '/@nobody/1',
    '/@a%00b',
    '/@alice@nowhere.example',
    '/tags/---',
    '/tags/2024',
    '/@alice/tagged/2024',
    '/@nobody/tagged/birds',
  ])
    expect(shape(await harness.http(path)), path).toEqual(absent)
})

test('a profile has Open Graph metadata, a link to its ActivityPub document, and rel="me" links', async () => {
  const page = await harness.http('/@alice')
  expect(metaOf(page, 'og:type')).toBe('profile')
  expect(metaOf(page, 'og:title')).toContain('<b>Alice</b> & "Co" (@alice@')
  expect(metaOf(page, 'og:description')).toContain('About birds.')
  expect(metaOf(page, 'og:url')).toBe(`${harness.origin}/@alice`)
  const links = elements(page.text).filter((one) => one.tagName === 'link' || one.tagName === 'a')
  const alternate = links.find((one) => attribute(one, 'rel') === 'alternate')
  const { uri } = (await harness.http('/api/v1/accounts/lookup?acct=alice')).json<{ uri: string }>()
  expect([attribute(alternate as Element, 'type'), attribute(alternate as Element, 'href')]).toEqual([
    'application/activity+json',
    uri,
  ])
  expect(page.headers.get('link')).toBe(`<${uri}>; rel="alternate"; type="application/activity+json"`)
  const me = links.find((one) => attribute(one, 'href') === 'https://alice.example/')
  expect(attribute(me as Element, 'rel')?.split(' ')).toContain('me')
  expect(page.headers.get('cache-control')).toMatch(/^max-age=15, public/)
  expect(page.text.indexOf('Pinned')).toBeGreaterThan(0)
  expect((await harness.http('/@ALICE')).status).toBe(200)
})

test('a status is shown with its thread, and its content warning replaces the text in previews', async () => {
  const page = await harness.http(`/@alice/${ids.public}`)
  expect(textOf(page)).toContain('an answer')
  expect(metaOf(page, 'og:type')).toBe('article')
  expect(metaOf(page, 'og:description')).toContain('Seen by all')
  const oembed = elements(page.text).find((one) => attribute(one, 'type') === 'application/json+oembed')
  const described = await harness.http(
    new URL(attribute(oembed as Element, 'href') ?? '').href.slice(harness.origin.length),
  )
  expect(described.json()).toMatchObject({ type: 'rich', html: expect.stringContaining(`/@alice/${ids.public}/embed`) })
  const answer = await harness.http(`/@bob/${ids.reply}`)
  expect(textOf(answer)).toContain('Seen by all')
  const warned = await harness.http(`/@alice/${ids.warned}`)
  expect(metaOf(warned, 'og:description')).toBe('CW: A "warning" <b>')
  expect(elements(warned.text).some((one) => one.tagName === 'details')).toBe(true)
  const boost = await harness.http(`/@bob/${ids.boost}`)
  expect([boost.status, boost.headers.get('location')]).toEqual([302, `${harness.origin}/@alice/${ids.public}`])
})

test('D025 A064 only the embed page of a status may be framed', async () => {
  const page = await harness.http(`/@alice/${ids.public}/embed`)
  expect(page.status).toBe(200)
  expect(textOf(page)).toContain('Seen by all')
  expect(textOf(page)).not.toContain('an answer')
  expect(page.headers.get('content-security-policy')).toContain('frame-ancestors *')
  expect(page.headers.get('x-frame-options')).toBeNull()
  expect(metaOf(page, 'robots')).toContain('noindex')
  const whole = await harness.http(`/@alice/${ids.public}`)
  expect(whole.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(whole.headers.get('x-frame-options')).toBe('DENY')
  for (const path of [`/@bob/${ids.public}/embed`, `/@bob/${ids.boost}/embed`, '/@alice/1/embed', '/@alice/x/embed'])
    expect((await harness.http(path)).status).toBe(404)
})

test('a remote handle redirects to its server, and a full local handle to the short one', async () => {
  await harness.call(putRemote, {
    actor: remoteActor('rita', 'remote.example', { display_name: 'Rita', indexable: false }),
  })
  const away = await harness.http('/@rita@remote.example')
  expect([away.status, away.headers.get('location')]).toEqual([302, 'https://remote.example/@rita'])
  const here = await harness.http(`/@alice@${new URL(harness.origin).host}`)
  expect([here.status, here.headers.get('location')]).toEqual([301, '/@alice'])
})

test('lists with more than one page link to the next page', async () => {
  for (let i = 0; i < 21; i++)
    await harness.http('/api/v1/statuses', { token: bob, json: { status: `number ${i} #pages` } })
  await harness.waitForIdle()
  for (const path of ['/@bob', '/tags/pages', '/@bob/tagged/pages']) {
    const first = await harness.http(path)
    const older = elements(first.text).find((one) => attribute(one, 'rel') === 'next')
    expect(older, path).toBeDefined()
    const second = await harness.http(attribute(older as Element, 'href') ?? '')
    expect(second.status).toBe(200)
    expect(textOf(first)).toContain('number 20')
    expect(textOf(second)).toContain('number 0')
    expect(textOf(second)).not.toContain('number 20')
  }
})

test('title, description, policy and feed access of the server settings apply to public pages', async () => {
  await harness.call(setSetting, { name: 'site_title', value: 'The <Marsh>' })
  await harness.call(setSetting, { name: 'site_short_description', value: 'For people who watch birds.' })
  await expect.poll(async () => textOf(await harness.http('/'))).toContain('For people who watch birds.')
  const about = await harness.http('/about')
  expect(about.text).toContain('The &lt;Marsh&gt;')
  expect(metaOf(about, 'og:site_name')).toBe('The <Marsh>')
  expect(textOf(await harness.http('/'))).toContain('number 20')
  await harness.call(setSetting, { name: 'local_live_feed_access', value: 'authenticated' })
  await expect.poll(async () => textOf(await harness.http('/'))).not.toContain('number 20')
  expect(textOf(about)).toContain('The source code is available on request.')
  const policy = await harness.http('/privacy-policy')
  expect([policy.status, textOf(policy).includes('Privacy policy')]).toEqual([200, true])
  const german = textOf(await harness.http('/privacy-policy?lang=de'))
  expect(german).toContain('Welche Daten wir erheben')
  expect(german).not.toContain('What information we collect')
})

test('manifest, robots.txt, health, default pictures and OpenAPI document have their types and contents', async () => {
  const manifest = await harness.http('/manifest')
  expect(manifest.headers.get('content-type')).toContain('application/manifest+json')
  for (const { src } of WebAppManifest.parse(manifest.json()).icons)
    expect((await harness.http(src.replace(harness.origin, ''))).headers.get('content-type')).toBe('image/png')
  expect((await harness.http('/robots.txt')).text).toContain('Disallow: /auth/')
  expect((await harness.http('/health')).text).toBe('OK')
  const password = await harness.http('/.well-known/change-password')
  expect([password.status, password.headers.get('location')]).toEqual([302, '/auth/edit'])
  for (const path of ['/avatars/original/missing.png', '/headers/original/missing.png']) {
    const { status, headers } = await harness.http(path)
    expect([status, headers.get('content-type'), headers.get('access-control-allow-origin')]).toEqual([
      200,
      'image/png',
      '*',
    ])
  }
  expect((await harness.http('/api/openapi.json')).json()).toMatchObject({ openapi: '3.1.0' })
})

test('A094 A190 paths that resemble other URLs get 404 without a redirect, and are not shown', async () => {
  for (const path of [
    '/web//evil.example',
    '/web/%2F%2Fevil.example',
    '/@alice//evil.example',
    '/%5C%5Cevil.example',
    '//evil.example/x',
    '/<script>alert(1)</script>',
    '/%E0%A4%A',
    `/${'a'.repeat(9_000)}`,
  ]) {
    const page = await harness.http(path)
    expect([path.slice(0, 40), page.status]).toEqual([path.slice(0, 40), 404])
    expect(page.headers.get('location')).toBeNull()
    expect(page.text).not.toMatch(/evil|alert\(1\)/)
  }
})

test('hostile 120 authorize_interaction shows the URL or handle to open; scripts, private addresses and invalid input get 400', async () => {
  const sendRequest = (uri: string) => harness.http(`/authorize_interaction?uri=${encodeURIComponent(uri)}`)
  for (const [uri, shown] of [
    ['https://far.example/users/rita/1', 'https://far.example/users/rita/1'],
    ['acct:rita@far.example', '@rita@far.example'],
    ['@rita@far.example', '@rita@far.example'],
    [`${harness.origin}/@alice/1`, `${harness.origin}/@alice/1`],
  ] as const) {
    const page = await sendRequest(uri)
    expect([uri, page.status]).toEqual([uri, 200])
    expect(textOf(page)).toContain(shown)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  }
  for (const uri of [
    '',
    'javascript:alert(1)',
    'data:text/html,x',
    'http://127.0.0.1/',
    'http://localhost/',
    'http://[::1]/',
    'http://169.254.169.254/latest',
    'https://user:pass@far.example/',
    'https://far.example:22/',
    'x'.repeat(3_000),
  ])
    expect([uri, (await sendRequest(uri)).status]).toEqual([uri, 400])
  expect((await harness.http('/authorize_interaction')).status).toBe(400)
  const shared = await harness.http(`/share?text=${encodeURIComponent('look </textarea><script>alert(1)</script>')}`)
  expect(shared.status).toBe(200)
  expect(shared.text).not.toContain('<script>')
  for (const empty of ['/share', '/share?title=&text=%20', '/share?text=a&text=b'])
    expect([empty, (await harness.http(empty)).status]).toEqual([empty, 400])
})

test('a shared title, text and URL are joined, and each may be missing', async () => {
  const shared = async (given: Record<string, string>) => {
    const page = (await harness.http(`/share?${new URLSearchParams(given)}`)).text
    const text = /<textarea[^>]*>([^<]*)</.exec(page)?.[1]
    expect(page).toContain(`/home/compose?text=${encodeURIComponent(text ?? '')}"`)
    return text
  }
  const url = 'https://news.example/1'
  expect(await shared({ title: 'News', url })).toBe(`News ${url}`)
  expect(await shared({ url, text: 'read this', title: 'News' })).toBe(`News read this ${url}`)
  expect(await shared({ url, text: '', title: ' ' })).toBe(url)
})
