/** Problems of input fields, and the one error that lists them as text and as codes. */
import { type Failure, fail } from '@murmuration/contracts/kit'

export interface Problem {
  /** Name of the input field, for example `display_name`. */
  field: string
  /** The field as part of a sentence, for example `Display name`. */
  label: string
  /** Stable code for clients. */
  code:
    | 'ERR_BLANK'
    | 'ERR_INVALID'
    | 'ERR_TAKEN'
    | 'ERR_TOO_SHORT'
    | 'ERR_TOO_LONG'
    | 'ERR_INCLUSION'
    | 'ERR_BLOCKED'
    | 'ERR_RESERVED'
    | 'ERR_ACCEPTED'
    | 'ERR_UNREACHABLE'
    | 'ERR_BELOW_LIMIT'
  /** End of the sentence, for example `is too long (maximum is 40 characters)`. */
  text: string
}

export const problem = (field: string, code: Problem['code'], text: string, label?: string): Problem => ({
  field,
  label: label ?? `${field.charAt(0).toUpperCase()}${field.slice(1).replaceAll('_', ' ')}`,
  code,
  text,
})

export const tooLong = (field: string, most: number, label?: string): Problem =>
  problem(field, 'ERR_TOO_LONG', `is too long (maximum is ${most} characters)`, label)

/** Returns a 422 error: one sentence that lists all problems, and `details` by field. */
export const refusalOf = (problems: readonly Problem[]): Failure => {
  const details: Record<string, { error: string; description: string }[]> = {}
  for (const { field, code, text } of problems)
    details[field] = [...(details[field] ?? []), { error: code, description: text }]
  return fail('unprocessable', `Validation failed: ${problems.map((one) => `${one.label} ${one.text}`).join(', ')}`, {
    body: { details },
  })
}

/** Throws a 422 error if there are problems. */
export const refuseIfAny = (problems: readonly Problem[]): void => {
  if (problems.length) throw refusalOf(problems)
}
