/** Tests of which profile fields can be verified by a link back. */
import { expect, test } from 'vitest'
import { keepProofs, linksToProve, provableLink } from './verified-link.rules.js'

test.each([
  ['https://alice.example', true],
  ['https://alice.example/about?x=1#me', true],
  ['https://xn--mller-kva.example/', true],
  ['http://alice.example', false],
  ['https://Alice.example', false],
  ['https://müller.example', false],
  ['https://user@alice.example', false],
  ['https://user:pw@alice.example', false],
  ['https://alice.example:443/', false],
  ['see https://alice.example', false],
  ['https://alice.example and more', false],
  ['javascript:alert(1)', false],
  ['', false],
])('whether %j in a local profile can be verified: %s', (value, can) => {
  expect(provableLink(value, true)).toBe(can ? value : null)
})

const link = (href: string, text: string) => `<a href="${href}" rel="me nofollow noopener" target="_blank">${text}</a>`
const address = 'https://bob.example/@bob'
test.each([
  [link(address, address), address],
  [link(address, '<span class="invisible">https://</span><span>bob.example/@bob</span>'), address],
  [link(address, 'my page'), null],
  [link('https://evil.example', address), null],
  [`<p>${link(address, address)}</p>`, null],
  [`${link(address, address)} and more`, null],
  [link(address, address) + link(address, address), null],
  [address, null],
  ['', null],
])('the link of %j in a remote profile is %j', (html, expected) => {
  expect(provableLink(html, false)).toBe(expected)
})

test('only unverified links are checked, without duplicates and at most eight', () => {
  const field = (value: string, verified_at: string | null = null) => ({ value, verified_at })
  const fields = [
    field('https://a.example'),
    field('https://a.example'),
    field('https://b.example', 'then'),
    field('x'),
  ]
  expect(linksToProve(fields, true)).toEqual(['https://a.example'])
  const many = Array.from({ length: 50 }, (_, i) => field(`https://h${i}.example`))
  expect(linksToProve(many, true)).toHaveLength(8)
})

test('a verification is kept as long as the value of the field is the same', () => {
  const before = [{ value: 'https://a.example', verified_at: '2026-01-01T00:00:00.000Z' }]
  expect(
    keepProofs(
      [
        { name: 'New label', value: 'https://a.example' },
        { name: 'x', value: 'y' },
      ],
      before,
    ),
  ).toEqual([
    { name: 'New label', value: 'https://a.example', verified_at: '2026-01-01T00:00:00.000Z' },
    { name: 'x', value: 'y', verified_at: null },
  ])
})
