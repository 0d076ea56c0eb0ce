/** E-mails as text and HTML: texts of accounts are escaped, and lines are short. */
import { expect, test } from 'vitest'
import { headerText } from './mail.rules.js'
import { writtenMail } from './view.js'

const EVIL = '"><img src=x onerror=1>'
const write = (more: object = {}) =>
  writtenMail(
    {
      subject: EVIL,
      paragraphs: [EVIL, 'word '.repeat(60).trim()],
      after: ['Why: https://here.example/x?a=1&b=2'],
      ...more,
    },
    { greeting: 'Hello @alice,', language: 'en', copyLink: 'Copy:' },
  )

test('A150 D068 texts of accounts are escaped', () => {
  const { html } = write({
    quotes: [{ title: EVIL, text: `${EVIL}\nsecond line`, href: 'https://there.example/"x' }],
    button: { label: EVIL, href: 'https://here.example/?a=1&b="2"' },
  })
  expect(html).not.toContain('<img')
  expect(html).toContain('&lt;img src=x onerror=1&gt;<br>second line')
  expect(html).toContain('href="https://here.example/?a=1&amp;b=&quot;2&quot;"')
  expect(html).toContain('<a href="https://here.example/x?a=1&amp;b=2"')
})

test('the text version has short lines, marked quotes, and the URL of the button on a separate line', () => {
  const { text } = write({
    quotes: [{ title: 'Bob said', text: 'a\nb', href: 'https://there.example/1' }],
    button: { label: 'Go', href: `https://here.example/${'x'.repeat(100)}` },
  })
  expect(text.split('\n').filter((line) => line.length > 76 && !line.startsWith('https://'))).toEqual([])
  expect(text).toContain('Bob said\n> a\n> b\nhttps://there.example/1')
  expect(text).toContain(`Go:\nhttps://here.example/${'x'.repeat(100)}\n`)
})

test.each([
  ['a\r\nBcc: eve@evil.example', 'a Bcc: eve@evil.example'],
  ['a\u2028b\u0000c', 'a b c'],
  ['x'.repeat(400), 'x'.repeat(250)],
])('D068 the header of %j is %j', (given, header) => expect(headerText(given)).toBe(header))
