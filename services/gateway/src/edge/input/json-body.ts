/** Parses JSON bodies. The root must be an object; depth and number of values are limited. */
import { fail, parseJson } from '@murmuration/contracts/kit'

const MAX_DEPTH = 20
const MAX_NODES = 20_000

/**
 * Throws `invalid` for an object that is nested too deeply or has too many values. The check does not recurse, because
 * recursion could overflow the stack.
 */
const checkShape = (value: object): void => {
  let level: object[] = [value]
  let nodes = 0
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw fail('invalid', 'The body is nested too deeply')
    const next: object[] = []
    for (const one of level) {
      const children = Object.values(one)
      nodes += children.length
      if (nodes > MAX_NODES) throw fail('invalid', 'The body has too many parts')
      for (const child of children) if (typeof child === 'object' && child !== null) next.push(child)
    }
    level = next
  }
}

/** Returns the object in a JSON body. Integers beyond 2^53 - 1 become text. Throws `invalid` with the reason if the body is not valid. */
export const parseJsonBody = (bytes: Buffer): Record<string, unknown> => {
  if (bytes.length === 0) return {}
  let value: unknown
  try {
    value = parseJson(bytes.toString('utf8'))
  } catch {
    throw fail('invalid', 'The body is not valid JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw fail('invalid', 'The body must be a JSON object')
  checkShape(value)
  return value as Record<string, unknown>
}
