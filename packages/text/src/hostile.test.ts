// Hostile texts of 100 kB for every function: nothing throws, and time is linear.
import { describe, expect, test } from 'vitest'
import * as text from './index.js'

const SIZE = 100_000
// Limit in milliseconds of this thread's CPU time, so that other processes do not count. The best of several runs is
// measured, because a run may include compilation or garbage collection. Linear runs take up to 50 ms, on slow machines 250 ms;
// quadratic ones take seconds.
const MAX_MS = 500
const RUNS = 15

const filled = (piece: string, size = SIZE): string => piece.repeat(Math.ceil(size / piece.length)).slice(0, size)

const PIECES = [
  '<',
  '>',
  '&',
  '"',
  '@',
  '#',
  '＃',
  ':',
  '/',
  '[',
  '(',
  '**',
  '\n',
  '\r\n',
  '\0',
  ' ',
  '\u0301',
  '\ud800',
  '\udc00',
  '👩‍👩‍👧‍👦',
  '日本',
  'İ',
  '@a.',
  '@a@',
  '@a@b ',
  '@a@b.',
  '@a-',
  '@a@b@',
  'a@',
  '#a ',
  ' #1',
  '#a#',
  'ä?#',
  '#a·',
  ' #·',
  ':aa',
  ':aa:',
  ':aa: ',
  'h',
  'http',
  'http://',
  'http://a ',
  'https://a.',
  'https://a-',
  'https://a.b/(',
  'https://a.b/)',
  'https://a.b/... ',
  'https://a.b/「',
  'xmpp:a',
  'xmpp:a@',
  'magnet:?',
  'xn--a.',
  '<p>',
  '</p>',
  '<div>',
  '<b><p>',
  '<i><b>',
  '<ul><li>',
  '<table><tr><td>',
  '<a href="https://a.b">',
  '<a href="javascript:',
  '<span class="h-a ',
  '<!--',
  '-->',
  '<![CDATA[',
  '<p a="',
  '<p a=1 ',
  '<math>',
  '<math><annotation encoding="text/plain">',
  '<svg>',
  '<script>',
  '</script>',
  '<style>',
  '<ruby><rt>',
  '<h1>',
  '<font x=1>',
  '&amp',
  '&#x',
  '&Counter',
]

const context: text.RenderContext = {
  mentions: new Map([['a@b', { url: 'https://b/@a', username: 'a', acct: 'a@b' }]]),
  tagUrl: (name) => `https://here.example/tags/${encodeURIComponent(name)}`,
  handleDomains: new Set(['here.example', 'web.here.example']),
}
const keywords = ['aaaa', `${'a'.repeat(511)}b`, '((', '@a', 'h'.repeat(512), '日本日本日'].flatMap((keyword, id) =>
  [true, false].map((wholeWord) => ({ id: String(id), keyword, wholeWord })),
)
const filter = text.compileFilters([keywords])

const FUNCTIONS: Record<string, (input: string) => unknown> = {
  scan: text.scan,
  statusLength: (input) => text.statusLength(input, input),
  renderStatusHtml: (input) => text.renderStatusHtml(input, context),
  renderFieldHtml: (input) => text.renderFieldHtml(input, context),
  sanitiseRemoteHtml: text.sanitiseRemoteHtml,
  htmlToPlainText: text.htmlToPlainText,
  excerpt: (input) => text.excerpt(input, 140),
  mentionsIn: text.mentionsIn,
  hashtagsIn: text.hashtagsIn,
  shortcodesIn: text.shortcodesIn,
  rewriteMentions: (input) => text.rewriteMentions(input, new Map([['a', 'x']]), context.handleDomains),
  filter,
  normaliseTag: text.normaliseTag,
  isValidTag: text.isValidTag,
  parseHandle: text.parseHandle,
  normaliseDomain: text.normaliseDomain,
  displayDomain: text.displayDomain,
  supportedLanguage: text.supportedLanguage,
  linkHtml: (input) => text.linkHtml(input),
  webUrl: text.webUrl,
  oembedFrame: (input) => text.oembedFrame(input, () => true),
}

/** Best CPU time of several runs in milliseconds. Ends early when a run is within the limit. */
function bestTime(run: () => unknown): number {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < RUNS && best > MAX_MS; round++) {
    const before = process.threadCpuUsage()
    run()
    const { user, system } = process.threadCpuUsage(before)
    best = Math.min(best, (user + system) / 1000)
  }
  return best
}

describe.each(Object.entries(FUNCTIONS))('A132 A142 %s', (_, run) => {
  test('each text of 100 kB takes linear time', () => {
    const slow = PIECES.map((piece) => ({ piece, ms: bestTime(() => run(filled(piece))) })).filter(
      ({ ms }) => ms > MAX_MS,
    )
    expect(slow).toEqual([])
  })
})

describe('A133 A137 documents whose tree would grow', () => {
  const numbered = (count: number, piece: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => piece(at)).join('')

  test.each([
    ['formatting repeated in every paragraph', `<p>${numbered(3000, (at) => `<b x=${at}>`)}${'<p>x'.repeat(8000)}`],
    ['links that must close others', '<a href=https://a.b><div>'.repeat(4000)],
    ['lists in lists', '<ul><li>'.repeat(12_000)],
    ['end tags that match nothing', `${'<span>'.repeat(300)}${'</b></ul>'.repeat(10_000)}`],
    ['links deep inside', `${'<span>'.repeat(300)}${'<a href=https://a.b>x</a>'.repeat(3500)}`],
    ['twenty thousand attributes', `<p ${numbered(20_000, (at) => `a${at} `)}>`],
    ['an address of spaces', `<a href="${' '.repeat(90_000)}x">y</a>`],
    ['twenty thousand classes', `<p class="${'h-a '.repeat(25_000)}">x</p>`],
    ['an unfinished attribute', `<a href="${'x'.repeat(99_000)}`],
  ])('%s', (_, html) => {
    expect(bestTime(() => text.sanitiseRemoteHtml(html))).toBeLessThan(MAX_MS)
    expect(bestTime(() => text.htmlToPlainText(html))).toBeLessThan(MAX_MS)
    expect(Buffer.byteLength(text.sanitiseRemoteHtml(html))).toBeLessThanOrEqual(text.MAX_CONTENT)
  })
})

describe('A131 many keywords', () => {
  const nested = Array.from({ length: 512 }, (_, at) => ({
    id: String(at),
    keyword: 'a'.repeat(at + 1),
    wholeWord: true,
  }))

  test('nested keywords in one long word', () => {
    const find = text.compileFilters([nested])
    expect(find(filled('a'))).toEqual([null])
    expect(bestTime(() => find(filled('a')))).toBeLessThan(MAX_MS)
  })

  test('a thousand keywords in a long text', () => {
    const find = text.compileFilters([
      Array.from({ length: 1000 }, (_, at) => ({ id: String(at), keyword: `keyword ${at}x`, wholeWord: false })),
    ])
    expect(find(`${filled('keyword 12 ')} keyword 999x`)).toEqual([{ id: '999', keyword: 'keyword 999x' }])
    expect(bestTime(() => find(filled('keyword 12 ')))).toBeLessThan(MAX_MS)
  })
})
