/** Custom emoji in texts that are translated: their names stay as they are, in any script. */
import { expect, test } from 'vitest'
import { cleanTranslation, protectEmoji } from './rules.js'

test.each(['blob', 'ねこ', 'blob.cat', 'чай-2', 'a', 'été_1'])('the name %s is kept from the translator', (name) => {
  const html = `<p>look :${name}: and :other:</p>`
  const marked = protectEmoji(html, new Set([name]))
  expect(marked).toBe(`<p>look <span translate="no">:${name}:</span> and :other:</p>`)
  expect(cleanTranslation(marked)).toBe(html)
})

test('two names that share a colon, and times, are left alone', () => {
  expect(protectEmoji('12:30:45 :a:b:', new Set(['b']))).toBe('12:30:45 :a:b:')
})
