/** Reports: categories, rules, comments and forwarding. */
import { expect, test } from 'vitest'
import { categoryOf, checkRules, commentOf, forwardDomains, remoteCommentOf } from './report.rules.js'

test('S-126 there are four categories, with a default', () => {
  expect(categoryOf(undefined, 'other')).toBe('other')
  expect(categoryOf('', 'spam')).toBe('spam')
  expect(categoryOf('legal', 'other')).toBe('legal')
  expect(() => categoryOf('rude', 'other')).toThrow('Validation failed: Category is not included in the list')
})

test('S-126 rules require the category violation and must exist', () => {
  expect(() => checkRules('violation', ['1', '2'], 2)).not.toThrow()
  expect(() => checkRules('spam', [], 0)).not.toThrow()
  expect(() => checkRules('spam', ['1'], 1)).toThrow('Validation failed: Rule ids must be blank')
  expect(() => checkRules('violation', ['1', '2'], 1)).toThrow(
    'Validation failed: Rule ids does not reference valid rules',
  )
})

test('comments have a maximum length: an error for local accounts, and truncation for remote ones', () => {
  expect(commentOf(' x ')).toBe('x')
  expect(commentOf(null)).toBe('')
  expect(commentOf('🐦'.repeat(1_000))).toHaveLength(2_000)
  expect(() => commentOf('x'.repeat(1_001))).toThrow(
    'Validation failed: Comment is too long (maximum is 1000 characters)',
  )
  expect(remoteCommentOf('x'.repeat(9_000))).toHaveLength(5_000)
})

test.each([
  [{ forward: true, domains: undefined }, 'far.example', [], ['far.example']],
  [{ forward: false, domains: undefined }, 'far.example', [], []],
  [{ forward: true, domains: undefined }, null, ['other.example'], []],
  [
    { forward: true, domains: ['FAR.example', 'other.example'] },
    'far.example',
    ['other.example', null],
    ['far.example', 'other.example'],
  ],
  [{ forward: true, domains: ['other.example'] }, 'far.example', ['other.example'], ['other.example']],
  [{ forward: true, domains: ['unrelated.example', 'not a domain'] }, 'far.example', ['other.example'], []],
])('%j about %s as a reply to accounts of %j: forwarded to %j', (wish, target, parentDomains, expected) => {
  expect(forwardDomains(wish, target, parentDomains)).toEqual(expected)
})
