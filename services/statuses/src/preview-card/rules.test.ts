/** Data that a page may set in its preview card, and data that it may not. */
import { expect, test } from 'vitest'
import { freshUntil, isOfSite, linkKey, type OEmbedData, previewOf, retryAt } from './rules.js'

const at = 'https://www.news.example/story?a=1#x'
const page = {
  title: 'T',
  description: null,
  language: 'de-AT',
  canonical: null,
  siteName: null,
  type: null,
  image: null,
  player: null,
  author: null,
  publishedAt: null,
  creator: null,
  oembed: null,
}
const oembed: OEmbedData = {
  type: 'video',
  title: 'V',
  authorName: '',
  authorUrl: '',
  providerName: '',
  providerUrl: '',
  html: '<iframe src="https://player.news.example/1"></iframe>',
  url: '',
  thumbnail: '',
  width: 640,
  height: 360,
}

test('a link is looked up without its fragment', () => {
  expect(linkKey(at)).toBe('https://www.news.example/story?a=1')
})
test.each([
  ['news.example', 'www.news.example', true],
  ['player.news.example', 'news.example', true],
  ['news.example', 'blog.news.example', true],
  ['evilnews.example', 'news.example', false],
  ['example', 'news.example', false],
])('a frame from %s on %s: %s', (host, site, expected) => {
  expect(isOfSite(host, site)).toBe(expected)
})
test('a canonical address is used only if it is on the host of the page', () => {
  expect(previewOf({ ...page, canonical: 'https://news.example/s' }, null, at)?.url).toBe('https://news.example/s')
  expect(previewOf({ ...page, canonical: 'https://other.example/s' }, null, at)?.url).toBe(linkKey(at))
})
test('a page without a title has no preview card', () => {
  expect(previewOf({ ...page, title: null }, null, at)).toBeNull()
  expect(previewOf(page, null, at)).toMatchObject({ type: 'link', language: 'de', html: '' })
})
test('S-069 a preview card is of type link, photo or video', () => {
  expect(previewOf(page, oembed, at)).toMatchObject({ type: 'video', title: 'V', width: 640, height: 360 })
  expect(previewOf(page, { ...oembed, html: '<iframe src="https://evil.example/"></iframe>' }, at)?.type).toBe('link')
  const photo = { ...oembed, type: 'photo' as const, url: 'https://news.example/p.png' }
  expect(previewOf(page, photo, at)).toMatchObject({ type: 'photo', image: photo.url, embedUrl: photo.url })
  const player = { url: 'https://www.news.example/p"><script>', width: 10, height: 20 }
  const played = previewOf({ ...page, player }, null, at)
  expect(played?.type).toBe('video')
  expect(played?.html).not.toContain('<script>')
})
test('a page is valid for fourteen days, and the wait after each failure is longer, up to a limit', () => {
  expect(freshUntil(0).getTime()).toBe(14 * 86_400_000)
  expect([0, 1, 2, 50].map((n) => retryAt(0, n).getTime() / 3_600_000)).toEqual([1, 4, 16, 336])
})
