/** Rules of the specification and the titles of tests. */
import { expect, test } from 'vitest'
import { rulesPage, testedRules } from './rules.js'

const LAST = 216

test('the title of a test names each rule of the specification', () => {
  const rules = Array.from({ length: LAST }, (_, at) => `S-${String(at + 1).padStart(3, '0')}`)
  expect([...testedRules()].toSorted()).toEqual(rules)
})

test('a title without placeholders is shown before titles of tables of cases', () => {
  expect(rulesPage()).toMatch(/^\| S-188 \| at most ten hashtags without duplicates[^%|]*\|/m)
})
