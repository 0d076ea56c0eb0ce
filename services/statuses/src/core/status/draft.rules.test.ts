/** Validation of drafts. */
import { describe, expect, test } from 'vitest'
import { checkMediaMix, type DraftInput, validateDraft } from './draft.rules.js'

const defaults = { visibility: 'public', sensitive: false, language: 'de' } as const
const more = { maxCharacters: 500, silenced: false, locale: 'fr', serverLanguage: 'en' }
const settle = (input: DraftInput, change: Partial<typeof more> = {}, other: Partial<typeof defaults> = {}) =>
  validateDraft(input, { ...defaults, ...other }, { ...more, ...change })

describe('texts', () => {
  test('text and warning are trimmed, and a warning makes the status sensitive', () => {
    expect(settle({ status: '  hi \r\n there ', spoiler_text: ' careful ' })).toMatchObject({
      text: 'hi \n there',
      spoiler: 'careful',
      sensitive: true,
    })
  })
  test('a warning alone becomes the text and stays sensitive', () => {
    expect(settle({ status: '', spoiler_text: 'careful' })).toMatchObject({
      text: 'careful',
      spoiler: '',
      sensitive: true,
    })
  })
  test('a status without text needs media', () => {
    expect(() => settle({ status: '   ' })).toThrow("Validation failed: Text can't be blank")
    expect(() => settle({})).toThrow("Text can't be blank")
    expect(settle({ media_ids: ['1'] }).text).toBe('')
  })
  test('warning and text are counted together; a link counts 23 characters, and the domain of a handle counts none', () => {
    expect(() => settle({ status: 'a'.repeat(400), spoiler_text: 'b'.repeat(101) })).toThrow(
      'Validation failed: Text character limit of 500 exceeded',
    )
    expect(settle({ status: 'a'.repeat(400), spoiler_text: 'b'.repeat(100) }).text.length).toBe(400)
    expect(settle({ status: `${'a'.repeat(476)} https://example.com/${'x'.repeat(400)}` }).text.length).toBeGreaterThan(
      500,
    )
    expect(settle({ status: `${'a'.repeat(495)} @bob@a-very-long-domain.example` }).visibility).toBe('public')
    expect(settle({ status: '👩‍👧'.repeat(500) }).text.length).toBeGreaterThan(500)
  })
})

describe('defaults', () => {
  test('a default visibility of a newer release counts as direct', () => {
    expect(settle({ status: 'a' }, {}, { visibility: 'circle' as 'public' }).visibility).toBe('direct')
    expect(() => settle({ status: 'a', visibility: 'circle' })).toThrow()
  })
  test("visibility, sensitivity and language are those of the request, else the account's defaults", () => {
    expect(settle({ status: 'a' })).toMatchObject({ visibility: 'public', sensitive: false, language: 'de' })
    expect(settle({ status: 'a', visibility: 'direct', sensitive: true, language: 'pt-BR' })).toMatchObject({
      visibility: 'direct',
      sensitive: true,
      language: 'pt',
    })
    expect(settle({ status: 'a', sensitive: false }, {}, { sensitive: true } as never).sensitive).toBe(false)
    expect(settle({ status: 'a', language: 'xx' }, {}, { language: 'nonsense' } as never).language).toBe('fr')
  })
  test('an unknown visibility is refused, and statuses of limited accounts are not public', () => {
    expect(() => settle({ status: 'a', visibility: 'limited' })).toThrow('Visibility is not included in the list')
    expect(settle({ status: 'a' }, { silenced: true }).visibility).toBe('unlisted')
    expect(settle({ status: 'a', visibility: 'private' }, { silenced: true }).visibility).toBe('private')
  })
})

describe('S-009 media', () => {
  test('a status has at most four attachments, and a video or audio file must be the only one', () => {
    expect(() => settle({ media_ids: ['1', '2', '3', '4', '5'] })).toThrow('Cannot attach more than 4 files')
    expect(settle({ media_ids: ['1', '1', '2'] }).mediaIds).toEqual(['1', '2'])
    expect(() => checkMediaMix(['image', 'video'])).toThrow(
      'Cannot attach a video to a post that already contains images',
    )
    expect(() => checkMediaMix(['video'])).not.toThrow()
    expect(() => checkMediaMix(['image', 'gifv'])).not.toThrow()
  })
})
