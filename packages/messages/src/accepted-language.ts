/** Chooses a language by the header `Accept-Language` (RFC 9110 section 12.5.4). */

/** Maximum number of characters of the header `Accept-Language` that are read. Browsers send fewer than 100. */
const MAX_CHARACTERS = 1_000
const RANGE = /^\s*([a-z]{1,8}(?:-[a-z\d]{1,8})*)\s*(?:;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i

/**
 * The language with the highest weight in the header for which `knownLanguage` returns a code; null if there is none.
 * Of languages with equal weight, the first one counts.
 */
export const acceptedLanguage = (
  header: string | undefined,
  knownLanguage: (locale: string) => string | null,
): string | null => {
  if (header === undefined) return null
  let best: string | null = null
  let max = 0
  for (const part of header.slice(0, MAX_CHARACTERS).split(',')) {
    const [, range, quality = '1'] = RANGE.exec(part) ?? []
    const weight = Number(quality)
    if (range === undefined || weight <= max) continue
    const language = knownLanguage(range)
    if (language === null) continue
    best = language
    max = weight
  }
  return best
}
