/** RSS feeds are well-formed XML for any content of statuses. */
import type { Status } from '@murmuration/contracts/entities'
import { expect, test } from 'vitest'
import { rssText } from './rss.js'

const channel = { title: 'A & B', description: 'x', link: 'https://a.example/@a', self: 'https://a.example/@a.rss' }
const status = (more: Partial<Status>): Status =>
  ({
    url: 'https://a.example/@a/1',
    uri: 'https://a.example/1',
    created_at: '2026-01-02T03:04:05.678Z',
    spoiler_text: '',
    content: '<p>Hi</p>',
    sensitive: false,
    poll: null,
    reblog: null,
    media_attachments: [],
    emojis: [],
    tags: [],
    ...more,
  }) as unknown as Status

test('characters that XML forbids are removed, and everything else is escaped', () => {
  const text = rssText(channel, [
    status({ content: '<p>a\u0000\u0008\u001f\ufffe\uffffb ]]> &amp; \ud83d tab\t 🎉</p>', spoiler_text: '<\u0001>' }),
  ])
  expect(text).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/)
  expect(text.isWellFormed()).toBe(true)
  expect(text).toContain('&lt;p&gt;ab ]]&gt; &amp;amp; ')
  expect(text).toContain('🎉')
  expect(text).toContain('<title>A &amp; B</title>')
})

test('an item has its page, its time in the RSS format, its files and its hashtags; boosts are omitted', () => {
  const file = { url: 'https://a.example/f.webp', type: 'image', description: 'a "cat"' }
  const text = rssText(channel, [
    status({ media_attachments: [file] as never, tags: [{ name: 'birds', url: '' }], sensitive: true }),
    status({ reblog: {} as never, url: 'https://a.example/@a/2' }),
  ])
  expect(text).toContain('<guid isPermaLink="true">https://a.example/@a/1</guid>')
  expect(text).toContain('<pubDate>Fri, 02 Jan 2026 03:04:05 GMT</pubDate>')
  expect(text).toContain('<enclosure url="https://a.example/f.webp" length="0" type="image/webp"/>')
  expect(text).toContain('<category>birds</category>')
  expect(text).toContain('<media:rating scheme="urn:simple">adult</media:rating>')
  expect(text.match(/<item>/g)).toHaveLength(1)
})

test('the type of a file is of its kind if its ending is unknown, also if objects inherit a member of this name', () => {
  for (const ending of ['constructor', 'valueOf', 'unknown']) {
    const file = { url: `https://a.example/f.${ending}`, type: 'video', description: null }
    expect(rssText(channel, [status({ media_attachments: [file] as never })])).toContain(
      `<enclosure url="https://a.example/f.${ending}" length="0" type="video/mp4"/>`,
    )
  }
})

test('custom emoji are pictures in content, warning and poll, also with dots in their names', () => {
  const emoji = (shortcode: string) => ({ shortcode, static_url: `https://a.example/${shortcode}.png` })
  const text = rssText(channel, [
    status({
      content: '<p>:blob.cat: :unknown:</p>',
      spoiler_text: ':鳥:',
      poll: { options: [{ title: ':blob.cat::鳥:' }] } as never,
      emojis: [emoji('blob.cat'), emoji('鳥')] as never,
    }),
  ])
  expect(text.match(/&lt;img class=&quot;emoji&quot; src=&quot;https:\/\/a.example\/(blob.cat|鳥).png/g)).toHaveLength(
    4,
  )
  expect(text).toContain(':unknown:')
})
