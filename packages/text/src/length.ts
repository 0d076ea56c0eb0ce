/** Length of texts in grapheme clusters, and as the limit of statuses counts it. */
import { scan } from './scan.js'
import type { Token } from './token.js'

/** Number of characters that a web link counts in a status, regardless of its real length. */
export const URL_LENGTH = 23

// Matches texts without characters from U+0300 on. In such a text each UTF-16 unit is a grapheme cluster, except for CR
// LF.
const SIMPLE = /^[\0-\u02ff]*$/
/**
 * Maximum UTF-16 units of a grapheme cluster that count as one character. Emoji have fewer than 25. Clusters with many
 * combining marks could have any length.
 */
const CLUSTER_UNITS = 32
const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * Number of grapheme clusters (UAX 29), which readers see as characters. A cluster of more than 32 units counts several times, so that a
 * limit of characters also limits the size.
 *
 * @example graphemeLength('👩‍👧é') // 2
 */
export function graphemeLength(text: string): number {
  if (SIMPLE.test(text)) return text.length - (text.includes('\r\n') ? text.split('\r\n').length - 1 : 0)
  let count = 0
  for (const { segment } of clusters.segment(text)) count += Math.ceil(segment.length / CLUSTER_UNITS)
  return count
}

/**
 * Length of a status for its limit: content warning and text together, in grapheme clusters. A web link counts 23. A
 * mention counts only as `@user`.
 *
 * @example statusLength('@bob@far.example see https://example.com/long/path', '') // 4 + 5 + 23
 */
export const statusLength = (text: string, spoiler: string): number =>
  graphemeLength(countable(spoiler)) + graphemeLength(countable(text))

const PLACEHOLDER = 'x'.repeat(URL_LENGTH)

function countable(text: string): string {
  if (!text.includes('@') && !text.includes('://')) return text
  return scan(text)
    .map((token) => counted(token, text))
    .join('')
}

function counted(token: Token, text: string): string {
  if (token.kind === 'url' && token.web) return PLACEHOLDER
  return token.kind === 'mention' ? `@${token.username}` : text.slice(token.start, token.end)
}
