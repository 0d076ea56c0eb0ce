// Cases for the grammars of links, mentions, hashtags and shortcodes in plain text.
import { describe, expect, test } from 'vitest'
import { scan } from './scan.js'

/** Tokens of a text except plain text, as `kind text`. */
const found = (text: string): string[] =>
  scan(text)
    .filter((token) => token.kind !== 'text')
    .map((token) => `${token.kind} ${text.slice(token.start, token.end)}`)

const links = (text: string): string[] =>
  found(text)
    .filter((entry) => entry.startsWith('url '))
    .map((entry) => entry.slice(4))

describe('links', () => {
  test.each([
    'http://google.com',
    'https://a.example/',
    'HTTPS://A.example',
    'https://a.example:8080/x',
    'http://localhost:3000/x',
    'http://127.0.0.1/x',
    'https://hackernoon.com/the-power-to-build-communities-a-response-to-mark-zuckerberg-3f2cac9148a4',
    'https://nic.みんな/',
    'https://en.wikipedia.org/wiki/Diaspora_(software)',
    'https://ja.wikipedia.org/wiki/日本語',
    'https://uk.wikipedia.org/wiki/Україна',
    'https://www.ruby-toolbox.com/search?utf8=✓&q=autolink',
    'https://a.example?q=1',
    'https://a.example#top',
    'https://a.example/a=',
    'https://a.example/@alice',
    'https://a.example/#tag',
    'https://a.example/?a=[1]&b={2}',
    'https://a_b.example/',
    'gemini://a.example/capsule/page.gmi',
    'GEMINI://a.example',
    'gopher://a.example:70/1/x',
    'ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi/a.txt',
    'ipns://docs.example',
    'dweb://a.example/x',
    'ssb://message/sha256/abc',
    `dat://${'0a'.repeat(32)}/`,
    'xmpp:muc@instance.com',
    'xmpp:muc@instance.com?join',
    'magnet:?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a',
    `https://a.example/${'x'.repeat(4000)}`,
  ])('links all of %j', (url) => expect(links(`see ${url} there`)).toEqual([url]))

  test.each([
    ['http://www.mcmansionhell.com/post/arizona. ', 'http://www.mcmansionhell.com/post/arizona'],
    ['(http://google.com/)', 'http://google.com/'],
    ['(https://a.example/b_(c))', 'https://a.example/b_(c)'],
    ['http://www.google.com!', 'http://www.google.com'],
    ["'http://www.google.com'", 'http://www.google.com'],
    ['"https://a.example/x"', 'https://a.example/x'],
    ['<https://a.example/x>', 'https://a.example/x'],
    ['https://a.example/b<del>b</del>', 'https://a.example/b'],
    ['https://a.example/x?', 'https://a.example/x'],
    ['https://a.example/x...', 'https://a.example/x'],
    ['「https://a.example/x」と', 'https://a.example/x'],
    ['https://a.example/x。', 'https://a.example/x'],
    ['https://a.exampleを見て', 'https://a.example'],
    ['日本語https://a.example', 'https://a.example'],
    ['https://a.example@evil.example/', 'https://a.example'],
    ['https://a.example:99/ok', 'https://a.example:99/ok'],
    ['https://a.example/x\u202egpj', 'https://a.example/x'],
    ['[x](https://a.example/y)', 'https://a.example/y'],
  ])('links in %j only %j', (text, url) => expect(links(text)).toEqual([url]))

  test.each([
    'example.com',
    'www.example.com/x',
    'ahttps://a.example',
    '@https://a.example',
    '#http://a.example',
    'http://',
    'https:///x',
    'https://-a.example',
    'https://[::1]/',
    'ftp://a.example',
    'javascript://a.example',
    'magnet:',
    'magnet:?',
    'xmpp:',
    'xmpp:a',
    'xmpp:a@',
    'https://..a',
    `http://${'b'.repeat(250)}.com/x`,
    `https://a.example/${'x'.repeat(4100)}`,
    'https://a.example:99999/x',
  ])('links nothing in %j', (text) => expect(links(text)).toEqual([]))
})

describe('mentions', () => {
  const mentions = (text: string) =>
    scan(text).flatMap((token) =>
      token.kind === 'mention' ? [[token.username, token.domain, token.start, token.end]] : [],
    )

  test.each([
    ['@alice', [['alice', null, 0, 6]]],
    ['hi @Alice_9!', [['Alice_9', null, 3, 11]]],
    ['@a.b-c.', [['a.b-c', null, 0, 6]]],
    ['@alice@far.example', [['alice', 'far.example', 0, 18]]],
    ['@alice@far.example.', [['alice', 'far.example', 0, 18]]],
    ['@alice@FAR.example...and', [['alice', 'far.example', 0, 18]]],
    ['@alice@münchen.example', [['alice', 'xn--mnchen-3ya.example', 0, 22]]],
    ['@alice@far.exampleさん', [['alice', 'far.example', 0, 18]]],
    ['@aliceさん', [['alice', null, 0, 6]]],
    ['@alice@localhost', [['alice', 'localhost', 0, 16]]],
    ['(@alice)', [['alice', null, 1, 7]]],
    ['@@alice', [['alice', null, 1, 7]]],
    [
      '@a @b',
      [
        ['a', null, 0, 2],
        ['b', null, 3, 5],
      ],
    ],
    ['@alice@', [['alice', null, 0, 6]]],
    ['@alice@.x', [['alice', null, 0, 6]]],
    ['😀@alice', [['alice', null, 2, 8]]],
  ])('in %j', (text, expected) => expect(mentions(text)).toEqual(expected))

  test.each([
    'mail@far.example',
    'https://far.example/@alice',
    'far.example/@alice',
    '?q=@alice',
    'ü@alice',
    '𝒳@alice',
    '@',
    '@.a',
    '@-a',
    '@ alice',
    '@ä',
    `@alice@${'b'.repeat(500)}.com`,
    `@alice@${'b'.repeat(64)}.com`,
    `@${'a'.repeat(2049)}`,
  ])('none in %j', (text) => expect(mentions(text)).toEqual([]))
})

describe('hashtags', () => {
  const tags = (text: string) =>
    scan(text).flatMap((token) => (token.kind === 'hashtag' ? [`${token.display}=${token.name}`] : []))

  test.each([
    ['#Foo #bar', ['Foo=foo', 'bar=bar']],
    ['#foo, #bar.', ['foo=foo', 'bar=bar']],
    ['＃日本語', ['日本語=日本語']],
    ['a\n#b\u3000#c', ['b=b', 'c=c']],
    ['#1a #a1', ['1a=1a', 'a1=a1']],
    ['#l·l #a· #ゲーム・音楽', ['l·l=l·l', 'a=a', 'ゲーム・音楽=ゲーム・音楽']],
    ['#a-b', ['a=a']],
    ['#a#b', ['a=a']],
    ["#dog's", ['dog=dog']],
    ['#हिन्दी', ['हिन्दी=हिन्दी']],
    ['#𝒳y', ['𝒳y=xy']],
    ['(#b)', ['b=b']],
    ['[#b] {#c} <#d>', ['b=b', 'c=c', 'd=d']],
    ['"#b" \'#c\' “#d” ‘#e’ «#f» „#g“', ['b=b', 'c=c', 'd=d', 'e=e', 'f=f', 'g=g']],
    ['「#日本」『#東京』（#京都）【#b】《#c》', ['日本=日本', '東京=東京', '京都=京都', 'b=b', 'c=c']],
    ['、#b。#c！#d？#e…#f・#g：#h', ['b=b', 'c=c', 'd=d', 'e=e', 'f=f', 'g=g', 'h=h']],
    ['🎉#b ❤️#c —#d', ['b=b', 'c=c', 'd=d']],
    ['hello,#b; hello.#c (see/#d) a.b,#e', ['b=b', 'c=c', 'e=e']],
    ['##b', ['b=b']],
    ['really?#b ~#c~ 50%#d you&#e', ['b=b', 'c=c', 'd=d', 'e=e']],
    ['_#b_ __#c __ *#d*', ['b_=b_', 'c=c', 'd=d']],
    ['＿#b ‿#c', ['b=b', 'c=c']],
    ['https://a.example/x (#b)', ['b=b']],
    ['https://a.example,#b https://a.example;#c https://a.example!#d', ['b=b', 'c=c', 'd=d']],
    ['https://a.example,#b,#c,d-#e', ['b=b', 'c=c', 'e=e']],
    ['https://a.example!/path-#b https://a.example/x\\y-#c https://a.example!y-#d,#e', []],
    ['https://a.exampleを見て!#b https://example.comです!#c https://a.example...and!#d', ['b=b', 'c=c', 'd=d']],
    ['https://a.exampleを見てnow!#b', ['b=b']],
    ['https://example.com!ä/-#b https://example.com.../x/path-#c https://example.comと/path-#d', []],
    ['https://example.comと\\path-#b https://example.com!ä-#c', ['c=c']],
    ['https://a.example:#b https://a.example|#c https://a.example:80,#d', ['b=b', 'c=c', 'd=d']],
    ['example.com/a、#b example.com/ä。#c example.com/a！#d', ['b=b', 'c=c', 'd=d']],
    ['日本語/本当?#b', ['b=b']],
    [`${'词'.repeat(300)}!#b`, ['b=b']],
    [`${'#a,'.repeat(200)}#b`, [...Array.from({ length: 200 }, () => 'a=a'), 'b=b']],
    ['（＃日本語）', ['日本語=日本語']],
  ])('in %j', (text, expected) => expect(tags(text)).toEqual(expected))

  test.each([
    '#',
    '# a',
    '#1',
    '#_',
    '#1_2',
    '#·a',
    'a#b',
    '/#b',
    '#!',
    '#😀',
    `#${'a'.repeat(501)}`,
    'https://a.example/#b',
    '&#39;',
    '&#x27;',
    '日本語#b',
    'x)#b',
    'example.com/page#b',
    'example.com/page-#b',
    'example.com/?q=1&#b',
    'example.com/a,#b',
    'https://a.example/x-#b',
    'https://a.example/x,#b',
    'https://a.example/(x)#b',
    'gemini://a.example/x.#b',
    'https://a.example/?#b',
    'example.com/?#b',
    '例え.jp/?#b',
    '例え.jp/検索?#b',
    '例え.テスト/検索?#b',
    'xn--r8jz45g.xn--zckzah/?#b',
    'example.com/über?#top',
    'example.com/größe-#maße',
    'example.com/u\u0308ber?#top',
    'example.com/𝒳?#b',
    `example.com/${'a'.repeat(300)}?#b`,
    '&#XB7;',
    'cafe\u0301#b',
  ])('none in %j', (text) => expect(tags(text)).toEqual([]))
})

describe('shortcodes', () => {
  test.each([
    [':smile:', [':smile:']],
    ['a :blob_cat: b:x:', [':blob_cat:']],
    ['日:blob:本', [':blob:']],
    [':aa: :bb:', [':aa:', ':bb:']],
    [':aa::bb:', []],
    ['12:30:45', []],
    [':a:', []],
    [':../x:', []],
    [':aa', []],
    [`:${'a'.repeat(2049)}:`, []],
  ])('in %j', (text, expected) => {
    expect(found(text)).toEqual(expected.map((code) => `shortcode ${code}`))
  })
})

test('the tokens cover the text without gap or overlap', () => {
  const pieces = [
    '@a',
    '@a@b.c',
    '#x',
    '＃y',
    ':ab:',
    'https://a.b/c(d',
    'xmpp:a@b',
    'magnet:?x=1',
    ' ',
    '\n',
    '日本',
    '😀',
    '\ud800',
    '.',
    '-',
    '@',
    '/',
    ')',
  ]
  let seed = 7
  const next = (max: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return seed % max
  }
  for (let round = 0; round < 2000; round++) {
    const text = Array.from({ length: next(12) }, () => pieces[next(pieces.length)]).join('')
    const tokens = scan(text)
    expect(tokens.map((token) => text.slice(token.start, token.end)).join('')).toBe(text)
    expect(tokens.every((token, at) => token.end > token.start && token.start === (tokens[at - 1]?.end ?? 0))).toBe(
      true,
    )
  }
})
