/** Parses the poll of a Question. */

import { countOf, isJsonObject, isYes, type JsonObject, listOf, prop, totalOf } from './json.js'
import { limits } from './limits.js'
import type { IncomingPoll } from './note.js'
import { naturalText, plainTextOf } from './read-text.js'
import { timeOf } from './time.js'

/**
 * Parses a poll option: its `name` (a line that may be HTML, see `lineText`), else its `content` (HTML). A string,
 * number or value object counts as `name`.
 */
const readOption = (value: unknown): IncomingPoll['options'][number] | null => {
  const isText = plainTextOf(value) !== null || (isJsonObject(value) && Object.hasOwn(value, '@value'))
  if (isText) return readOption({ name: value })
  if (!isJsonObject(value)) return null
  const name = naturalText(value, 'name', limits.pollOption)
  const title = name || naturalText(value, 'content', limits.pollOption)
  return title ? { title, markup: !name, votes: totalOf(prop(value, 'replies')) ?? 0 } : null
}

/** Parses the poll of a Question; null if it has no options. `closed` may be a time or a boolean. */
export const readPoll = (node: JsonObject): IncomingPoll | null => {
  const many = listOf(prop(node, 'anyOf'), limits.pollOptions)
  const options = (many.length > 0 ? many : listOf(prop(node, 'oneOf'), limits.pollOptions))
    .map(readOption)
    .filter((it) => it !== null)
  if (options.length === 0) return null
  const closed = prop(node, 'closed')
  const closedAt = timeOf(closed)
  return {
    multiple: many.length > 0,
    options,
    voters: countOf(prop(node, 'votersCount')),
    endsAt: closedAt ?? timeOf(prop(node, 'endTime')),
    closed: closedAt === null && isYes(closed),
  }
}
