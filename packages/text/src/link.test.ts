// Cases for links as clients show them.
import { describe, expect, test } from 'vitest'
import { linkHtml, quoteInlinePrefix, webUrl, withoutQuoteLine } from './link.js'
import { htmlToPlainText } from './plain.js'

const spans = (url: string): string[] =>
  [...linkHtml(url).matchAll(/<span class="(.*?)">(.*?)<\/span>/g)].map(([, kind, text]) => `${kind}|${text}`)

test('a link is rendered with all its parts', () => {
  expect(linkHtml('https://a.example/?a=1&b="')).toBe(
    '<a href="https://a.example/?a=1&amp;b=&quot;" target="_blank" rel="nofollow noopener" translate="no">' +
      '<span class="invisible">https://</span><span class="">a.example/?a=1&amp;b=&quot;</span><span class="invisible"></span></a>',
  )
  expect(linkHtml('https://a.example', { me: true })).toContain(' rel="nofollow noopener me" translate="no">')
})

describe('shortening', () => {
  const x = (times: number) => 'x'.repeat(times)
  test.each([
    [`http://${x(30)}`, ['invisible|http://', `|${x(30)}`, 'invisible|']],
    [`http://${x(31)}`, ['invisible|http://', `|${x(31)}`, 'invisible|']],
    [`http://${x(32)}`, ['invisible|http://', `ellipsis|${x(30)}`, `invisible|${x(2)}`]],
    [`https://www.${x(32)}`, ['invisible|https://www.', `ellipsis|${x(30)}`, `invisible|${x(2)}`]],
    [`HTTPS://${x(3)}`, ['invisible|HTTPS://', `|${x(3)}`, 'invisible|']],
    ['xmpp:a@b.example', ['invisible|xmpp:', '|a@b.example', 'invisible|']],
    ['magnet:?xt=1', ['invisible|', '|magnet:?xt=1', 'invisible|']],
    [`https://${'😀'.repeat(31)}`, ['invisible|https://', `|${'😀'.repeat(31)}`, 'invisible|']],
    [`https://${'😀'.repeat(33)}`, ['invisible|https://', `ellipsis|${'😀'.repeat(30)}`, 'invisible|😀😀😀']],
  ])('%s', (url, expected) => expect(spans(url)).toEqual(expected))
})

test('A147 the text of a link is its address, hidden parts included', () => {
  const url = 'https://www.trusted.example.evil.example/a/very/long/path/that/is/cut'
  expect(htmlToPlainText(linkHtml(url, { me: true }))).toBe(url)
})

test.each([
  ['https://a.example/x', 'https://a.example/x'],
  ['HTTP://a.example', 'HTTP://a.example'],
  ['javascript:alert(1)', null],
  ['data:text/html,x', null],
  ['//a.example', null],
  ['https:a.example', null],
  ['https://', null],
  ['https://a.example/a b', null],
  ['https://a.example/\n', null],
  [' https://a.example', null],
  ['https://a:b:c/', null],
  [null, null],
  [{ href: 'https://a.example' }, null],
])('A154 webUrl of %j is %j', (address, url) => expect(webUrl(address)).toBe(url))

test('a quoting status starts with a line that links the quoted one', () => {
  const url = 'https://far.example/@bob/1'
  expect(quoteInlinePrefix(url, 'see this')).toBe(`<p class="quote-inline">RE: ${linkHtml(url)}</p>`)
  expect(quoteInlinePrefix(url, `see ${url} there`)).toBe('')
  expect(quoteInlinePrefix('javascript:1')).toBe('')
})

test('the line that links a quoted status is removed, also in the forms of other servers', () => {
  expect(withoutQuoteLine(`${quoteInlinePrefix('https://a.example/1')}<p>Yes</p>`)).toBe('<p>Yes</p>')
  expect(withoutQuoteLine('<p>Yes<span class="quote-inline"><br>RE: <a href="x">x</a></span></p>')).toBe('<p>Yes</p>')
  expect(withoutQuoteLine('<p>RE: quote-inline</p>')).toBe('<p>RE: quote-inline</p>')
  const link = linkHtml('https://fedibird.example/@n/109876543210987654')
  for (const line of [
    `<p>Yes<span class="quote-inline"><br/>QT: ${link}</span></p>`,
    `<p>Yes<span lang="en" class="x quote-inline y"><span>QT: <span>${link}</span></span></span></p>`,
    `<span class="quote-inline">QT: ${link}</span><p>Yes</p><p class="quote-inline">RE: ${link}</p>`,
  ])
    expect(withoutQuoteLine(line)).toBe('<p>Yes</p>')
  expect(withoutQuoteLine('<p>Yes</p><span class="quote-inline">QT')).toBe('<p>Yes</p><span class="quote-inline">QT')
})

test.each([
  '<p class="quote-inline">Buy crypto at <a href="https://spam.example/">https://spam.example/</a></p><p>hi</p>',
  '<p class="quote-inline">RE: <a href="https://spam.example/">buy crypto</a></p><p>hi</p>',
  '<p class="quote-inline">RE: <a href="https://spam.example/">https://spam.example/</a> buy crypto</p>',
  '<p>hi<span class="quote-inline">QT: <a href="https://a.example/">https://a.example/</a><a href="https://b.example/">https://b.example/</a></span></p>',
  '<span class="quote-inline">buy<span class="quote-inline">crypto</span></span>',
  '<p class="quote-inline">RE:</p>',
  '<p class="quote-inline">RE: <a href="https://spam.example/#buy-crypto-now">buy-crypto-now</a></p><p>hi</p>',
  '<p class="quote-inline">RE: <a href="https://buy-crypto.example/">buy-crypto</a></p><p>hi</p>',
  '<p class="quote-inline">RE: <a href="https://a.example/1">buy-crypto@a.example/1</a></p><p>hi</p>',
  '<p class="quote-inline">RE: <a href="https://a.example/1">https://a.example/buy-crypto/../1</a></p><p>hi</p>',
  '<p class="quote-inline">RE: <a href="https://a.example/1">https://a.example\\buy-crypto</a></p><p>hi</p>',
])('text of the author stays in %s', (html) => expect(withoutQuoteLine(html)).toBe(html))

test.each(['https://a.example/1', 'a.example/1', 'https://a.exam…', 'HTTPS://A.example/1'])(
  'a line with the link text %s is removed',
  (text) => {
    const line = `<p class="quote-inline">RE: <a href="https://a.example/1">${text}</a></p>`
    expect(withoutQuoteLine(`${line}<p>Yes</p>`)).toBe('<p>Yes</p>')
  },
)

test.each([
  ['bücher.example/1', 'https://xn--bcher-kva.example/1'],
  ['https://büch…', 'https://xn--bcher-kva.example/1'],
  ['https://xn--bcher-kva.example/1', 'https://bücher.example/1'],
  ['a.example/@bücher/1', 'https://www.a.example/@b%C3%BCcher/1'],
  ['a.example:8443/us...', 'http://a.example:8443/users/1'],
  ['a.example/100%', 'https://a.example/100%'],
])('a line with the link text %s is removed if the link leads to %s', (text, href) => {
  const line = `<p class="quote-inline">RE: <a href="${href}">${text}</a></p>`
  expect(withoutQuoteLine(`${line}<p>Yes</p>`)).toBe('<p>Yes</p>')
})

test('many nested quote lines are read in linear time', () => {
  const nested = '<span class="quote-inline">'.repeat(9_000)
  const begun = performance.now()
  expect(withoutQuoteLine(nested + '</span>'.repeat(9_000))).toContain('quote-inline')
  expect(performance.now() - begun).toBeLessThan(1_000)
})
