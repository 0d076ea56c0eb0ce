/** From what came in to the typed input of the operation, or a clear refusal that names the field. */
import { type AnyOperation, fail, invalidField, notFound } from '@murmuration/contracts/kit'

interface Issue {
  readonly code?: string
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** `account_ids.0` → `Account ids`, the way this API names fields in its messages. */
const nameOf = (path: readonly PropertyKey[]): string => {
  const words = path
    .filter((part) => typeof part !== 'number')
    .map(String)
    .join(' ')
    .replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Messages of our own schemas follow the field's name; those of the library do not and say too much. */
const saidOf = ({ code, message }: Issue): string => {
  if (code === 'invalid_value') return 'is not included in the list'
  return /^(is|must|has|contains|can|cannot)\b/.test(message) ? message : 'is invalid'
}

const valueAt = (given: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[part] : undefined,
    given,
  )

/** A member that is not there at all; an item of a list that has another form than a list is wrong, not missing. */
const isMissing = (given: unknown, { path }: Issue): boolean =>
  path.length > 0 && typeof path.at(-1) !== 'number' && valueAt(given, path) === undefined

/**
 * Checks and converts; unknown fields are ignored, wrong ones are named. A part of the path that is wrong is not found.
 * @param params names of the parts of the path
 */
export const parseInput = (operation: AnyOperation, given: unknown, params: readonly string[] = []): unknown => {
  const parsed = operation.input.safeParse(given)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues as Issue[]
  if (issues.some(({ path }) => params.includes(String(path[0])))) throw notFound()
  const missing = issues.find((issue) => isMissing(given, issue))
  if (missing) throw fail('invalid', `param is missing or the value is empty or invalid: ${String(missing.path[0])}`)
  throw invalidField(...issues.slice(0, 5).map((issue) => `${nameOf(issue.path)} ${saidOf(issue)}`))
}
