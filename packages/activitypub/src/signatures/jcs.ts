/** The JSON canonicalisation scheme (RFC 8785): one text for every value, so that a value can be signed. */

const deepest = 64

/** Thrown out of the recursion only; the caller sees null. */
const refused = new Error('value has no canonical form')

const write = (value: unknown, depth: number): string => {
  if (depth > deepest) throw refused
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw refused
    return JSON.stringify(value)
  }
  if (typeof value === 'number') {
    // Above 2^53 the parser has already rounded: what was signed can no longer be known.
    if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) throw refused
    return JSON.stringify(value)
  }
  if (Array.isArray(value)) return `[${value.map((item) => write(item, depth + 1)).join(',')}]`
  if (typeof value !== 'object') throw refused
  const node = value as Record<string, unknown>
  // The default order of sort() is by UTF-16 code units, which is the order that the standard asks for.
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
