/** Domain blocks: names, severities, conflicts and obfuscation. */
import { expect, test } from 'vitest'
import {
  commentOf,
  conflictOf,
  digestOf,
  notWeaker,
  obfuscated,
  otherDomain,
  severityOf,
  withParents,
} from './domain-name.rules.js'

const own = new Set(['here.example', 'www.here.example'])

test.each([
  ['BAD.example', 'bad.example'],
  [' bad.example. ', 'bad.example'],
  ['bad.example:443', 'bad.example'],
  ['münchen.example', 'xn--mnchen-3ya.example'],
  ['sub.here.example', 'sub.here.example'],
])('%j is the domain %s', (given, domain) => {
  expect(otherDomain(given, own)).toBe(domain)
})

test.each([
  ['', "Domain can't be blank"],
  [null, "Domain can't be blank"],
  ['  ', "Domain can't be blank"],
  ['https://bad.example/', 'Domain is not a valid domain name'],
  ['bad example', 'Domain is not a valid domain name'],
  ['*.bad.example', 'Domain is not a valid domain name'],
  ['here.example', 'Domain is that of this server'],
  ['WWW.here.example', 'Domain is that of this server'],
])('%j is refused', (given, problem) => {
  expect(() => otherDomain(given, own)).toThrow(`Validation failed: ${problem}`)
})

test('there are three severities', () => {
  expect(severityOf('noop')).toBe('noop')
  expect(() => severityOf('block')).toThrow('Validation failed: Severity is not included in the list')
})

test('comments have a maximum length', () => {
  expect(commentOf('Public comment', '')).toBeNull()
  expect(() => commentOf('Public comment', 'x'.repeat(2_001))).toThrow(
    'Public comment is too long (maximum is 2000 characters)',
  )
})

test('a rule applies to its domain and all subdomains', () => {
  expect(withParents('a.b.example')).toEqual(['a.b.example', 'b.example', 'example'])
})

const measures = (severity: 'noop' | 'silence' | 'suspend', media = false, reports = false) => ({
  severity,
  reject_media: media,
  reject_reports: reports,
})

test.each([
  [measures('suspend'), measures('suspend'), true],
  [measures('suspend'), measures('silence', true, true), true],
  [measures('silence'), measures('suspend'), false],
  [measures('silence', true, true), measures('suspend'), false],
  [measures('silence'), measures('noop', true, true), true],
  [measures('noop', true, true), measures('silence'), false],
  [measures('silence'), measures('silence'), true],
  [measures('silence'), measures('silence', true), false],
  [measures('silence', true), measures('silence', false, true), false],
  [measures('silence', true, true), measures('silence', true), true],
])('S-058 %j below %j: %s', (one, other, expected) => {
  expect(notWeaker(one, other)).toBe(expected)
})

test('S-058 the same domain always conflicts, a parent domain only with a stricter block', () => {
  const fresh = { domain: 'a.example', ...measures('suspend') }
  const parent = { domain: 'example', ...measures('silence') }
  expect(conflictOf(fresh, { ...fresh, ...measures('noop') })).not.toBeNull()
  expect(conflictOf(fresh, parent)).toBeNull()
  expect(conflictOf({ ...fresh, ...measures('noop') }, parent)).toBe(parent)
  expect(conflictOf(fresh, null)).toBeNull()
})

test('the digest is the SHA-256 of the domain', () => {
  expect(digestOf('bad.example')).toMatch(/^[0-9a-f]{64}$/)
  expect(digestOf('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
})

test.each([
  ['bad.example', 'bad.*****le'],
  ['a.b', 'a.*'],
  ['badserver.example', 'badse****.***mple'],
  ['verybad.social.example', 'veryba*.******.**ample'],
])('%s is shown as %s', (domain, shown) => {
  expect(obfuscated(domain)).toBe(shown)
})
