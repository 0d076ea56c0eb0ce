/** Metadata of web pages, valid and invalid, and the choice of the link to preview in a status. */
import { describe, expect, test } from 'vitest'
import { firstLink } from './first-link.js'
import { pageMetadata } from './page-metadata.js'

const base = 'https://news.example/2026/story?x=1'
const page = (head: string, body = '') =>
  `<!doctype html><html lang="en-GB"><head>${head}</head><body>${body}</body></html>`
const metadata = (head: string) => pageMetadata(page(head), base)

describe('pageMetadata', () => {
  test('Open Graph, links and plain fields are read, and the best one is used', () => {
    expect(
      metadata(`<title> A  title
        with lines </title><meta name="description" content="plain">
        <meta property="og:title" content="The &amp; story"><meta property="og:description" content="About it">
        <meta property="og:type" content="article"><meta property="og:site_name" content="News">
        <meta property="og:image" content="/pic.png"><meta property="og:image:alt" content="A cat">
        <meta property="article:published_time" content="2026-02-03T04:05:06+01:00">
        <meta name="author" content="Ada"><meta name="fediverse:creator" content="@ada@news.example">
        <link rel="canonical" href="/story"><link rel="alternate" type="application/json+oembed" href="/oembed?u=1">`),
    ).toEqual({
      title: 'The & story',
      description: 'About it',
      language: 'en-GB',
      canonical: 'https://news.example/story',
      siteName: 'News',
      type: 'article',
      image: { url: 'https://news.example/pic.png', description: 'A cat' },
      player: null,
      author: { name: 'Ada', url: null },
      publishedAt: '2026-02-03T03:05:06.000Z',
      creator: '@ada@news.example',
      oembed: 'https://news.example/oembed?u=1',
    })
  })
  test('the title is the fallback, and missing fields are null', () => {
    expect(metadata('<title>Only this</title>')).toMatchObject({
      title: 'Only this',
      description: null,
      image: null,
      type: null,
    })
    expect(pageMetadata('', base)).toMatchObject({ title: null, language: null, author: null })
  })
  test('structured data have precedence, also in a graph, and invalid ones are ignored', () => {
    const data = {
      '@context': 'https://schema.org',
      '@graph': [
        { '@type': 'Organization', name: 'x' },
        {
          '@type': ['NewsArticle'],
          headline: 'From data',
          author: [{ '@type': 'Person', name: 'Bo', url: 'https://news.example/bo' }],
          publisher: { name: 'The News' },
          datePublished: '2026-01-01',
          image: { url: 'https://news.example/i.png' },
          inLanguage: 'de',
        },
      ],
    }
    expect(
      metadata(`<script type="application/ld+json">{broken</script><meta property="og:title" content="other">
        <script type="application/ld+json">${JSON.stringify(data)}</script>`),
    ).toMatchObject({
      title: 'From data',
      type: 'article',
      author: { name: 'Bo', url: 'https://news.example/bo' },
      siteName: 'The News',
      language: 'de',
      image: { url: 'https://news.example/i.png' },
      publishedAt: '2026-01-01T00:00:00.000Z',
    })
  })
  test('a player must be a page with an https address', () => {
    expect(
      metadata(
        '<meta name="twitter:player" content="https://v.example/e"><meta name="twitter:player:width" content="640">',
      ),
    ).toMatchObject({
      player: { url: 'https://v.example/e', width: 640, height: 0 },
    })
    expect(metadata('<meta name="twitter:player" content="http://v.example/e">').player).toBeNull()
    expect(
      metadata(
        '<meta property="og:video" content="https://v.example/a.mp4"><meta property="og:video:type" content="video/mp4">',
      ).player,
    ).toBeNull()
  })
  test.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'https://a:b@c.example/', '//', ' '])(
    'A154 the address %s is ignored',
    (address) => {
      const found = metadata(
        `<link rel="canonical" href="${address}"><meta property="og:image" content="${address}"><link rel="alternate" type="application/json+oembed" href="${address}">`,
      )
      expect([found.canonical, found.image, found.oembed]).toEqual([null, null, null])
    },
  )
  test('markup in scripts, styles and comments is ignored', () => {
    expect(
      metadata(
        '<script>"<meta property=og:title content=a>"</script><!-- <title>b</title> --><style><title>c</title></style>',
      ).title,
    ).toBeNull()
  })
  test.each([
    ['link', '<link '.repeat(170_000)],
    ['metas', '<meta property="og:a" content="b">'.repeat(30_000)],
    ['quotes', '<meta content="'.repeat(70_000)],
    ['data', `<script type="application/ld+json">${'['.repeat(200_000)}</script>`],
    ['titles', '<title>'.repeat(150_000)],
  ])('A133 a megabyte of %s is read in time', (_name, html) => {
    const cpu = process.cpuUsage()
    expect(() => pageMetadata(html, base)).not.toThrow()
    expect(process.cpuUsage(cpu).user / 1_000).toBeLessThan(1_000)
  })
})

describe('firstLink', () => {
  const ours = (url: URL) => url.hostname === 'here.example'
  test.each([
    ['<p>see <a href="https://a.example/x">a</a> <a href="https://b.example">b</a></p>', 'https://a.example/x'],
    [
      '<p><span class="h-card"><a href="https://a.example/@x" class="u-url mention">@x</a></span> <a href="https://b.example/">b</a></p>',
      'https://b.example/',
    ],
    ['<p><a href="https://a.example/tags/x" class="mention hashtag" rel="tag">#x</a></p>', null],
    [
      '<p class="quote-inline">RE: <a href="https://a.example/1">q</a></p><p><a href="https://b.example/">b</a></p>',
      'https://b.example/',
    ],
    [
      '<p>See <a href="https://b.example/">b</a><span class="quote-inline"><br>QT: <a href="https://a.example/1">q</a></span></p>',
      'https://b.example/',
    ],
    [
      '<p>Yes<span class="quote-inline">QT: <span>x</span> <a href="https://a.example/1">q</a></span> <a href="https://b.example/">b</a></p>',
      'https://b.example/',
    ],
    ['<p>Yes<span class="quote-inline">QT: <a href="https://a.example/1">q</a></span></p>', null],
    ['<p><a href="https://here.example/about">us</a><a href="ftp://a.example">f</a></p>', null],
    ['<p>https://a.example</p>', null],
    ['<a href="https://a.example/My File.html?q=a b">f</a>', 'https://a.example/My%20File.html?q=a%20b'],
    ['<a href=" https://a.example/x\n"> f</a>', 'https://a.example/x'],
    ['<a href="https://me:secret@a.example/">a</a> <a href="https://b.example/é">b</a>', 'https://b.example/é'],
    [`<p><a href="https://a.example/${' '.repeat(900)}x">long</a></p>`, null],
    [`<p><a href="https://a.example/${'x'.repeat(2_700)}">long</a></p>`, null],
  ])('%#: the right one', (html, url) => {
    expect(firstLink(html, ours)).toBe(url)
  })
})
