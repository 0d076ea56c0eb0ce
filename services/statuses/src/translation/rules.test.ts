/** Custom emoji in translated texts keep their shortcodes, in any script. */
import { expect, test } from 'vitest'
import { cleanTranslation, protectEmoji } from './rules.js'

test.each(['blob', 'ねこ', 'blob.cat', 'чай-2', 'a', 'été_1'])(
  'the shortcode %s is marked as not to be translated',
  (name) => {
    const html = `<p>look :${name}: and :other:</p>`
    const marked = protectEmoji(html, new Set([name]))
    expect(marked).toBe(`<p>look <span translate="no">:${name}:</span> and :other:</p>`)
    expect(cleanTranslation(marked)).toBe(html)
  },
)

test('shortcodes that share a colon, and times, are not marked', () => {
  expect(protectEmoji('12:30:45 :a:b:', new Set(['b']))).toBe('12:30:45 :a:b:')
})
