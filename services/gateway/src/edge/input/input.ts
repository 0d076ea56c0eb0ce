/** Validates the parameters of a request against the schema of an operation. Its errors name the field. */
import {
  type AnyOperation,
  ErrorText,
  errorText,
  fieldProblem,
  invalidField,
  missingParameter,
  notFound,
} from '@murmuration/contracts/kit'

interface Issue {
  readonly code?: string
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** Path of a field without the positions in lists: `account_ids.0` becomes `account_ids`. */
const nameOf = (path: readonly PropertyKey[]): string =>
  path
    .filter((part) => typeof part !== 'number')
    .map(String)
    .join(' ')

/** Error text that follows the name of a field. Messages of the schema library are replaced by `is invalid`. */
const messageOf = ({ code, message }: Issue): ErrorText => {
  if (code === 'invalid_value') return errorText('is not included in the list')
  return /^(is|must|has|contains|can|cannot)\b/.test(message) ? new ErrorText(message) : errorText('is invalid')
}

const valueAt = (given: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[part] : undefined,
    given,
  )

/** Whether a required field is absent. An item of a list is never absent: a value that is not a list is invalid. */
const isMissing = (given: unknown, { path }: Issue): boolean =>
  path.length > 0 && typeof path.at(-1) !== 'number' && valueAt(given, path) === undefined

/**
 * Parses the input of an operation. Unknown fields are dropped. Throws 404 for an invalid path parameter, 400 for a missing
 * field, and 422 with at most five invalid fields.
 * @param params names of the path parameters
 */
export const parseInput = (operation: AnyOperation, given: unknown, params: readonly string[] = []): unknown => {
  const parsed = operation.input.safeParse(given)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues as Issue[]
  if (issues.some(({ path }) => params.includes(String(path[0])))) throw notFound()
  const missing = issues.find((issue) => isMissing(given, issue))
  if (missing) throw missingParameter(String(missing.path[0]))
  throw invalidField(...issues.slice(0, 5).map((issue) => fieldProblem(nameOf(issue.path), messageOf(issue))))
}
