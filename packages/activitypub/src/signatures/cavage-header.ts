/** Parses the `Signature` header of draft-cavage-12. */

export type CavageParameters = {
  keyId: string
  signature: string
  /** Signature algorithm in lower case; null if the parameter is absent. */
  algorithm: string | null
  created: string | null
  expires: string | null
  /**
   * Lower-case names of the header fields that the signature covers, in order; null if the parameter `headers` is
   * absent.
   */
  headers: readonly string[] | null
}

const longestHeader = 8192
const maxCovered = 32
const parameter = /[ \t]*([A-Za-z][A-Za-z0-9_-]*)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|(\d+))[ \t]*(,|$)/y

const splitParameters = (text: string): ReadonlyMap<string, string> | null => {
  const found = new Map<string, string>()
  let at = 0
  while (at < text.length) {
    parameter.lastIndex = at
    const [whole, name, quoted, bare, end] = parameter.exec(text) ?? []
    if (whole === undefined || name === undefined) return null
    if (found.has(name.toLowerCase())) return null
    found.set(name.toLowerCase(), quoted === undefined ? (bare ?? '') : quoted.replace(/\\(.)/g, '$1'))
    at += whole.length
    if (end === ',' && at === text.length) return null
  }
  return found
}

const splitNames = (text: string): readonly string[] | null => {
  const names = text.toLowerCase().split(' ')
  const sound = names.every((name) => name !== '') && new Set(names).size === names.length
  return sound && names.length <= maxCovered ? names : null
}

/**
 * Parses a `Signature` header of the draft. Returns null if the header is malformed, repeats a parameter, or lacks
 * `keyId` or `signature`.
 */
export const parseCavageHeader = (header: string): CavageParameters | null => {
  if (header.length > longestHeader) return null
  // Some old libraries write the scheme name before the parameters, as in an Authorization header.
  const found = splitParameters(header.trim().replace(/^Signature /, ''))
  const keyId = found?.get('keyid')
  const signature = found?.get('signature')
  if (!found || !keyId || !signature) return null
  const names = found.get('headers')
  const headers = names === undefined ? null : splitNames(names)
  if (names !== undefined && headers === null) return null
  return {
    keyId,
    signature,
    headers,
    algorithm: found.get('algorithm')?.toLowerCase() ?? null,
    created: found.get('created') ?? null,
    expires: found.get('expires') ?? null,
  }
}
