/** Validation of rules of the server. */
import { errorText, invalidField } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'

const MAX_HINT = 1_000

interface Texts {
  text: string
  hint: string
}

const checkTexts = ({ text, hint }: Texts): void => {
  const max = limits.instance.ruleCharacters
  if (text.trim() === '') throw invalidField("Text can't be blank")
  if ([...text].length > max)
    throw invalidField(errorText('Text is too long (maximum is {most} characters)', { most: max }))
  if ([...hint].length > MAX_HINT)
    throw invalidField(errorText('Hint is too long (maximum is {most} characters)', { most: MAX_HINT }))
}

/** Throws if a text of a server rule, or of one of its translations, is blank or too long. */
export const checkRule = (rule: Texts & { translations: Record<string, Texts> }): void => {
  checkTexts(rule)
  for (const translation of Object.values(rule.translations)) checkTexts(translation)
}
