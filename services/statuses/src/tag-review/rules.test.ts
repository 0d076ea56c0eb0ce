/** Rules for changes that staff makes to a hashtag. */
import { expect, test } from 'vitest'
import { spellingOf } from './rules.js'

test('a new spelling may change capital letters and accents, not the name', () => {
  expect(spellingOf('cafe', undefined)).toBeNull()
  expect(spellingOf('cafe', null)).toBeNull()
  expect(spellingOf('cafe', ' #CaFé ')).toBe('CaFé')
  for (const wrong of ['cafes', '', '12'])
    expect(() => spellingOf('cafe', wrong)).toThrow('Validation failed: Display name does not match the previous name')
})
