/** Validation of rules of the server. */
import { expect, test } from 'vitest'
import { checkRule } from './rules.js'

const rule = { text: 'Be kind', hint: '', translations: {} }

test('a rule with a text is valid, also with translations', () => {
  expect(() => checkRule({ ...rule, translations: { de: { text: 'Sei nett', hint: '' } } })).not.toThrow()
})

test.each([
  [{ ...rule, text: ' ' }, "Text can't be blank"],
  [{ ...rule, text: 'x'.repeat(301) }, 'Text is too long (maximum is 300 characters)'],
  [{ ...rule, hint: 'x'.repeat(1_001) }, 'Hint is too long (maximum is 1000 characters)'],
  [{ ...rule, translations: { de: { text: '', hint: '' } } }, "Text can't be blank"],
])('%# is refused', (wrong, problem) => {
  expect(() => checkRule(wrong)).toThrow(`Validation failed: ${problem}`)
})
