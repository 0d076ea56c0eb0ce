/** Builds the full-text index of statuses. Indexing a status again is safe. */
import type { MediaAttachment } from '@murmuration/contracts/entities'
import { firstLink, htmlToPlainText, indexTerms, withoutQuoteLine } from '@murmuration/text'
import type { Context } from '../context.js'
import { pollsOf } from '../core/poll/store.js'
import { type Indexed, indexSearchText } from '../core/status/search.store.js'
import { rowsOf, type StatusRow } from '../core/status/store.js'
import { markOf } from './rules.js'

interface Beside {
  media: readonly MediaAttachment[]
  options: readonly string[]
  bot: boolean
}

const propertiesOf = (row: StatusRow, { media, bot }: Beside): string[] => [
  ...(row.media_ids.length ? ['media'] : []),
  ...media.map((one) => (one.type === 'gifv' ? 'video' : one.type)),
  ...(row.poll_id === null ? [] : ['poll']),
  ...(firstLink(row.html, () => false) === null ? [] : ['link']),
  ...(row.has_quote ? ['quote'] : []),
  ...(row.in_reply_to_account_id === null && row.in_reply_to_uri === null ? [] : ['reply']),
  ...(row.sensitive ? ['sensitive'] : []),
  ...(bot ? ['bot'] : []),
]

const indexed = (row: StatusRow, beside: Beside): Indexed => {
  // The line that links to the quoted status is not indexed, because the author did not write it.
  const content = htmlToPlainText(row.has_quote ? withoutQuoteLine(row.html) : row.html)
  const texts = [row.spoiler_text, content, ...beside.options]
  const marks = [
    ...propertiesOf(row, beside).map((one) => markOf('is', one)),
    ...row.tags.map((tag) => markOf('tag', tag)),
    ...(row.language === null ? [] : [markOf('lang', row.language)]),
  ]
  const described = beside.media.map((one) => one.description ?? '')
  return {
    id: row.id,
    rev: row.rev,
    terms: indexTerms([...texts, ...described].join('\n')),
    marks: [...new Set(marks)],
  }
}

/**
 * Indexes the current version of statuses. Deleted statuses and boosts are skipped. Returns the ids that changed
 * meanwhile and were not indexed.
 */
export const indexStatuses = async (ctx: Context, ids: readonly string[]): Promise<string[]> => {
  if (ids.length === 0) return []
  const rows = [...(await rowsOf(ctx.db, ids)).values()].filter(
    (row) => row.deleted_at === null && row.reblog_of_id === null,
  )
  const [cards, authors, polls] = await Promise.all([
    ctx.mediaCards.many(rows.flatMap((row) => row.media_ids)),
    ctx.accountCards.many([...new Set(rows.map((row) => row.author_id))]),
    pollsOf(
      ctx.db,
      rows.flatMap((row) => row.poll_id ?? []),
    ),
  ])
  const wrote = await indexSearchText(
    ctx.db,
    rows.map((row) => {
      const media = row.media_ids.flatMap((id) => {
        const card = cards.get(id)
        return card === undefined ? [] : [JSON.parse(card) as MediaAttachment]
      })
      const author = authors.get(row.author_id)
      const bot = author !== undefined && (JSON.parse(author) as { bot: boolean }).bot
      const options = (row.poll_id === null ? null : polls.get(row.poll_id)?.options) ?? []
      return indexed(row, { media, options, bot })
    }),
  )
  return rows.filter((row) => !wrote.has(row.id)).map((row) => row.id)
}

/** Indexes statuses. Throws if a status changed during the indexing, so that the event is processed again. */
export const indexOrThrow = async (ctx: Context, ids: readonly string[]): Promise<void> => {
  const missed = await indexStatuses(ctx, ids)
  const now = await rowsOf(ctx.db, missed)
  if ([...now.values()].some((row) => row.deleted_at === null)) throw new Error('a status changed while it was indexed')
}
