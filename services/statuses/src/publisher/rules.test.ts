/** The publisher of a link, and which decision applies. */
import { expect, test } from 'vitest'
import { decisionFor, domainsOf, hostOf } from './rules.js'

test('a link belongs to its host and to the domains above it, except the top-level domain', () => {
  expect(hostOf('https://News.Example:8443/story')).toBe('news.example')
  expect(hostOf('no address')).toBeNull()
  expect(domainsOf('a.news.example')).toEqual(['a.news.example', 'news.example'])
  expect(domainsOf('localhost')).toEqual(['localhost'])
})

test('the decision about the nearest domain applies', () => {
  const decided = new Map([
    ['news.example', false],
    ['good.news.example', true],
  ])
  expect(decisionFor('good.news.example', decided)).toBe(true)
  expect(decisionFor('other.news.example', decided)).toBe(false)
  expect(decisionFor('elsewhere.example', decided)).toBeNull()
  expect(decisionFor(null, decided)).toBeNull()
})
