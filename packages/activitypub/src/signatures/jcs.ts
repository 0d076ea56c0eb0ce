/** JSON canonicalisation scheme (RFC 8785): one text per JSON value, as needed for signatures. */

/** Maximum nesting depth of a JSON value. A deeper value has no canonical form. */
const deepest = 64

/** Error that ends the recursion. `canonicalJson` catches this error and returns null. */
const refused = new Error('value has no canonical form')

const write = (value: unknown, depth: number): string => {
  if (depth > deepest) throw refused
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw refused
    return JSON.stringify(value)
  }
  if (typeof value === 'number') {
    // The JSON parser rounds integers above 2^53, so the number that the sender signed is unknown.
    if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) throw refused
    return JSON.stringify(value)
  }
  if (Array.isArray(value)) return `[${value.map((item) => write(item, depth + 1)).join(',')}]`
  if (typeof value !== 'object') throw refused
  const node = value as Record<string, unknown>
  // sort() orders by UTF-16 code units, as RFC 8785 requires.
  const members = Object.keys(node)
    .sort()
    .map((key) => `${write(key, depth)}:${write(node[key], depth + 1)}`)
  return `{${members.join(',')}}`
}

/** The canonical text of a parsed JSON value; null for lone surrogates, unsafe numbers and nesting deeper than 64. */
export const canonicalJson = (value: unknown): string | null => {
  try {
    return write(value, 0)
  } catch (error) {
    if (error === refused) return null
    throw error
  }
}
