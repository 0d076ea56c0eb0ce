/** Validation of rules of the server. */
import { errorText, fieldProblem, invalidField } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'

const MAX_HINT = 1_000
const MAX_PRIORITY = 1_000_000

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

/** Throws if a text of a server rule, or of one of its translations, is blank or too long, or if its priority is out of range. */
export const checkRule = (rule: Texts & { translations: Record<string, Texts>; priority?: number }): void => {
  const { priority = 0 } = rule
  if (priority < 0 || priority > MAX_PRIORITY) throw invalidField(fieldProblem('priority', errorText('is invalid')))
  checkTexts(rule)
  for (const translation of Object.values(rule.translations)) checkTexts(translation)
}
