/** Addresses of ActivityPub documents in HTML pages and `Link` headers. */

import type { Uri } from '@murmuration/activitypub/vocabulary/uri'
import { expect, test } from 'vitest'
import { alternateOf } from './alternate.js'

const base = 'https://masto.example/@alice/1' as Uri
const page = (body: string, more: { link?: string; contentType?: string } = {}) =>
  alternateOf({
    ok: true,
    requested: base,
    final: base,
    contentType: more.contentType ?? 'text/html; charset=utf-8',
    link: more.link ?? '',
    body: Buffer.from(body),
  })
const link = (href: string, rel = 'alternate', type = 'application/activity+json') =>
  `<head><link rel="${rel}" type='${type}' href="${href}">`

test.each([
  [link('/users/alice/1'), 'https://masto.example/users/alice/1'],
  [link('https://masto.example/1?a=b&amp;c=d'), 'https://masto.example/1?a=b&c=d'],
  [
    link(
      '/1',
      'nofollow alternate',
      'application/ld+json; profile="https://www.w3.org/ns/activitystreams"'.replaceAll('"', '&quot;'),
    ),
    'https://masto.example/1',
  ],
  [link('/feed', 'alternate', 'application/rss+xml'), null],
  [link('/1', 'stylesheet'), null],
  [link('javascript:alert(1)'), null],
  [`<script>${link('/1')}</script>`, null],
  [`${' '.repeat(200_000)}${link('/1')}`, null],
  ['', null],
])('the page %s', (body, address) => {
  expect(page(body)).toBe(address)
})

test('a Link header is preferred to the page, and is also used for other content types', () => {
  const header =
    '<https://masto.example/feed>; rel=alternate; type="application/rss+xml", </1>; rel="alternate"; type="application/activity+json"'
  expect(page(link('/2'), { link: header })).toBe('https://masto.example/1')
  expect(page('', { link: header, contentType: 'image/png' })).toBe('https://masto.example/1')
  expect(page(link('/2'), { contentType: 'text/plain' })).toBe(null)
})

const document = 'type="application/activity+json"'
test.each([
  [
    'of WordPress',
    `<https://masto.example/wp-json/>; rel="https://api.w.org/", <https://masto.example/wp-json/wp/v2/posts/1>; rel="alternate"; title="JSON"; type="application/json", <https://masto.example/?p=1>; rel=shortlink, </1>; title="ActivityPub (JSON)"; rel="alternate"; ${document}`,
  ],
  ['with a title in another character set', `</1>; title*=UTF-8''A%20B; rel="alternate"; ${document}`],
  ['with a parameter without a value', `</1>; crossorigin; rel="alternate"; ${document}`],
  ['with an empty parameter', `</1>;; rel="alternate"; ${document};`],
  ['with a relation in capital letters', `</1>; rel="Alternate"; ${document}`],
  [
    'with a link in a title',
    `</2>; rel="x"; title="a, </3>; rel=alternate; type=application/activity+json", </1>; rel=alternate; ${document}`,
  ],
  [
    'with quotes in a title',
    String.raw`</2>; title="a \"b\"; rel=alternate; ${document}", </1>; rel=alternate; ${document}`,
  ],
  [
    'with quotes in a type',
    String.raw`</1>; rel=alternate; type="application/ld+json; profile=\"https://www.w3.org/ns/activitystreams\""`,
  ],
])('a Link header %s', (_, header) => {
  expect(page('', { link: header })).toBe('https://masto.example/1')
})

test('upper-case HTML and XHTML pages are parsed', () => {
  const body = '<LINK REL="Alternate" TYPE="application/activity+json" HREF="/1"/>'
  expect(page(body)).toBe('https://masto.example/1')
  expect(page(body, { contentType: 'application/xhtml+xml' })).toBe('https://masto.example/1')
})

test('hostile 46 a header that is made to be slow is parsed in time', () => {
  for (const slow of [';a=', ';', '; ', ' ', ';a="', ';a="\\', '<a', '<a>;', '="'])
    expect(page('', { link: `<a>${slow.repeat(100_000)}` })).toBe(null)
})
