// Cases for domain names: normal form for comparison, and form for display.
import { describe, expect, test } from 'vitest'
import { displayDomain, normaliseDomain } from './domain.js'

describe('normaliseDomain', () => {
  test.each([
    ['example.com', 'example.com'],
    [' EXAMPLE.Com ', 'example.com'],
    ['example.com.', 'example.com'],
    ['example.com:443', 'example.com'],
    ['example.com.:8443', 'example.com'],
    ['localhost', 'localhost'],
    ['münchen.example', 'xn--mnchen-3ya.example'],
    ['MÜNCHEN.example', 'xn--mnchen-3ya.example'],
    ['xn--mnchen-3ya.example', 'xn--mnchen-3ya.example'],
    ['例え。テスト', 'xn--r8jz45g.xn--zckzah'],
    ['ｅｘａｍｐｌｅ．ｃｏｍ', 'example.com'],
    ['ex\u00adample.com', 'example.com'],
    ['my_host.example', 'my_host.example'],
    ['127.0.0.1', '127.0.0.1'],
    ['0x7f.1', '127.0.0.1'],
    ['2130706433', '127.0.0.1'],
  ])('A026 spells %j as %j', (domain, normal) => expect(normaliseDomain(domain)).toBe(normal))

  test.each([
    '',
    '.',
    '..',
    'a..b',
    '.com',
    '-a.com',
    'a-.com',
    'a b',
    'a/b',
    'a／b.com',
    'a@b',
    'a＠b',
    'a:b',
    'a?b',
    'a#b',
    'a%41.com',
    '[::1]',
    '::1',
    'a\\b',
    'a\u0000b',
    'a\u200db.com',
    'a\u202eb.com',
    '\ud800.com',
    '1.2.3.4.5',
    '999.1.1.1',
    '__proto__',
    'a.__proto__',
    'host.exa_mple',
    `${'a'.repeat(64)}.com`,
    `${'a.'.repeat(127)}aa`,
    `${'ü'.repeat(60)}.com`,
    'a'.repeat(100_000),
  ])('refuses %j', (domain) => expect(normaliseDomain(domain)).toBeNull())

  test('a domain of 253 characters is accepted, a longer one is not', () => {
    const longest = `${`${'a'.repeat(49)}.`.repeat(5)}com`
    expect(longest).toHaveLength(253)
    expect(normaliseDomain(longest)).toBe(longest)
    expect(normaliseDomain(`a${longest}`)).toBeNull()
  })
})

describe('displayDomain', () => {
  test.each([
    ['example.com', 'example.com'],
    ['xn--mnchen-3ya.example', 'münchen.example'],
    ['xn--r8jz45g.xn--zckzah', '例え.テスト'],
    ['xn--80ak6aa92e.com', 'аррӏе.com'],
    ['xn--fa-hia.de', 'faß.de'],
    ['bad domain', ''],
  ])('shows %j as %j', (domain, shown) => expect(displayDomain(domain)).toBe(shown))

  test('a label that mixes scripts stays in ASCII', () => {
    expect(displayDomain('аpple.com')).toBe('xn--pple-43d.com')
    expect(displayDomain('münchen.аpple.com')).toBe('xn--mnchen-3ya.xn--pple-43d.com')
  })
})
