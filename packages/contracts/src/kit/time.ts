/** Times that users and apps write. */

const WITHOUT_ZONE = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/i

/** Reads a time (ms since 1970); NaN if it is none. A time without a zone counts as UTC, whatever the zone of this machine. */
export const readTime = (given: string): number => {
  const text = given.trim()
  return Date.parse(WITHOUT_ZONE.test(text) ? `${text.replace(' ', 'T')}Z` : text)
}
