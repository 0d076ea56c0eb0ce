/** Converts problems of input fields to one error that lists them as text and as codes. */
import { type ErrorLiteral, ErrorText, errorText, type Failure, fail, fieldText } from '@murmuration/contracts/kit'

export interface Problem {
  /** Name of the input field, for example `display_name`. */
  field: string
  /** Name of the input field at the start of the error sentence, for example `Display name`; null if the text is the whole sentence. */
  label: ErrorText | null
  /** Code of the problem, which clients can rely on. */
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
  /** End of the error sentence, for example `is too long (maximum is 40 characters)`. */
  text: ErrorText
}

export const problem = <const Text extends string>(
  field: string,
  code: Problem['code'],
  text: ErrorLiteral<Text> | ErrorText,
  label: ErrorText | null = fieldText(field),
): Problem => ({ field, label, code, text: typeof text === 'string' ? new ErrorText(text) : text })

export const tooLong = (field: string, max: number): Problem =>
  problem(field, 'ERR_TOO_LONG', errorText('is too long (maximum is {most} characters)', { most: max }))

const sentenceOf = ({ label, text }: Problem): ErrorText =>
  label === null ? text : errorText('{field} {problem}', { field: label, problem: text })

/** Returns a 422 error with one sentence that lists all problems. Its `details` list the problems by input field. */
export const refusalOf = (problems: readonly Problem[]): Failure => {
  const details: Record<string, { error: string; description: ErrorText }[]> = {}
  for (const { field, code, text } of problems)
    details[field] = [...(details[field] ?? []), { error: code, description: text }]
  return fail('unprocessable', errorText('Validation failed: {problems}', { problems: problems.map(sentenceOf) }), {
    body: { details },
  })
}

/** Throws a 422 error that lists the problems, if there are any. */
export const refuseIfAny = (problems: readonly Problem[]): void => {
  if (problems.length) throw refusalOf(problems)
}
