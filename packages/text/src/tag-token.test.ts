/** Tokens of hashtags in bus subjects. */
import { expect, test } from 'vitest'
import { normaliseTag } from './tag.js'
import { tagToken } from './tag-token.js'

test('a short name is in its token', () => {
  expect(Buffer.from(tagToken('日本_x'), 'base64url').toString()).toBe('日本_x')
})

test('names of any length have different tokens that are short', () => {
  const names = ['x'.repeat(512), 'x'.repeat(513), 'x'.repeat(5_000), 'y'.repeat(5_000), normaliseTag('ﷺ'.repeat(500))]
  const tokens = names.map(tagToken)
  expect(new Set(tokens).size).toBe(names.length)
  for (const token of tokens) expect(token).toMatch(/^[\w~-]{1,700}$/)
})
