/** Pages lead to their documents, and nowhere else. */

import type { Uri } from '@murmuration/activitypub/vocabulary/uri'
import { expect, test } from 'vitest'
import { alternateOf } from './alternate.js'

const base = 'https://masto.example/@alice/1' as Uri
const page = (body: string, more: { link?: string; contentType?: string } = {}) =>
  alternateOf({
    ok: true,
    asked: base,
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

test('a Link header goes before the page, and works for what is no page', () => {
  const header =
    '<https://masto.example/feed>; rel=alternate; type="application/rss+xml", </1>; rel="alternate"; type="application/activity+json"'
  expect(page(link('/2'), { link: header })).toBe('https://masto.example/1')
  expect(page('', { link: header, contentType: 'image/png' })).toBe('https://masto.example/1')
  expect(page(link('/2'), { contentType: 'text/plain' })).toBe(null)
})

test('hostile 46 a header made to be slow', () => {
  expect(page('', { link: `<a>${';a='.repeat(100_000)}` })).toBe(null)
})
