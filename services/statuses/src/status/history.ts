/** Renders the edit history of a status, as readers see it. */

import { splice } from '@murmuration/cards'
import type { StatusEdit } from '@murmuration/contracts/entities'
import { type Json, toJson } from '@murmuration/contracts/kit'
import { attachmentRecords } from '@murmuration/contracts/media'
import type { Context } from '../context.js'
import { pollsOf } from '../core/poll/store.js'
import { hydrate } from '../core/render/hydrate.js'
import { quoteText } from '../core/render/present.js'
import { type EditRow, editsOf } from '../core/status/edit.store.js'
import type { StatusRow } from '../core/status/store.js'

/** The only version of a status that was never edited (S-094). */
const synthetic = async (ctx: Context, row: StatusRow): Promise<EditRow> => {
  const [{ records }, polls] = await Promise.all([
    row.media_ids.length ? ctx.call(attachmentRecords, { ids: row.media_ids }) : { records: [] },
    pollsOf(ctx.db, row.poll_id === null ? [] : [row.poll_id]),
  ])
  return {
    id: row.id,
    status_id: row.id,
    created_at: row.created_at,
    text: row.text,
    html: row.html,
    spoiler_text: row.spoiler_text,
    sensitive: row.sensitive,
    emojis: row.emojis,
    media: row.media_ids.map((id) => ({ id, description: records.find((one) => one.id === id)?.description ?? null })),
    poll_options: polls.get(row.poll_id ?? '')?.options ?? null,
    has_quote: row.has_quote,
  }
}

/** The current quote of the status, for the viewer. A version records only whether the status had a quote. */
const quoteNow = async (ctx: Context, viewerId: string | null, row: StatusRow): Promise<string> => {
  if (!row.has_quote) return 'null'
  const state = await hydrate(ctx, viewerId, [row.id], 'single')
  const status = state.statuses.get(row.id)
  return status ? quoteText(state, status, false) : 'null'
}

/** All versions of a status as a viewer sees them, oldest first; null means anonymous. */
export const historyOf = async (ctx: Context, viewerId: string | null, row: StatusRow): Promise<Json<StatusEdit>[]> => {
  const stored = await editsOf(ctx.db, row.id)
  const edits = stored.length ? stored : [await synthetic(ctx, row)]
  const [accounts, media, quote] = await Promise.all([
    ctx.accountCards.many([row.author_id]),
    ctx.mediaCards.many(edits.flatMap((edit) => edit.media.map((one) => one.id))),
    quoteNow(ctx, viewerId, row),
  ])
  const account = accounts.get(row.author_id)
  if (account === undefined) return []
  const mediaText = (edit: EditRow): string =>
    `[${edit.media
      .flatMap((one) => {
        const card = media.get(one.id)
        return card === undefined ? [] : [JSON.stringify({ ...JSON.parse(card), description: one.description })]
      })
      .join(',')}]`
  return edits.map((edit) =>
    splice<StatusEdit>(
      toJson({
        content: edit.html,
        spoiler_text: edit.spoiler_text,
        sensitive: edit.sensitive,
        created_at: edit.created_at.toISOString(),
        emojis: edit.emojis.map((one) => ({ ...one, visible_in_picker: false, featured: false })),
        ...(edit.poll_options ? { poll: { options: edit.poll_options.map((title) => ({ title })) } } : {}),
      }),
      { account, media_attachments: mediaText(edit), ...(edit.has_quote ? { quote } : {}) },
    ),
  )
}
