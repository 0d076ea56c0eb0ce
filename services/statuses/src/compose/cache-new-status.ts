/** Caches a status that was just stored, so that rendering and streaming it in this process reads nothing again. */
import type { AccountRecord } from '@murmuration/contracts/accounts'
import type { Context } from '../context.js'
import { cardText } from '../core/card/card.js'
import { cardName } from '../core/card/cards.js'
import type { FullStatus } from '../core/status/new-status.js'
import { FIRST_REVISION } from '../core/status/store.js'
import type { RevisionColumns } from '../core/viewer/loaded-status.store.js'

/** Columns of a new status that stay the same until its next revision. */
export const firstRevisionColumnsOf = ({ row, mentions, tags }: FullStatus): RevisionColumns => ({
  id: row.id,
  rev: FIRST_REVISION,
  author_id: row.author_id,
  local: row.local,
  uri: row.uri,
  visibility: row.visibility,
  reblog_of_id: row.reblog_of_id ?? null,
  reblog_of_author_id: row.reblog_of_author_id ?? null,
  in_reply_to_id: row.in_reply_to_id ?? null,
  in_reply_to_author_id: row.in_reply_to_author_id ?? null,
  in_reply_to_account_id: row.in_reply_to_account_id ?? null,
  is_reply: (row.in_reply_to_account_id ?? row.in_reply_to_uri ?? null) !== null,
  listed: row.listed,
  conversation_id: row.conversation_id,
  media_ids: [...(row.media_ids ?? [])],
  tags: tags.map((tag) => tag.name),
  poll_id: row.poll_id ?? null,
  sensitive: row.sensitive ?? false,
  language: row.language ?? null,
  application: row.application ?? null,
  mentions: mentions.map((one) => one.id),
})

/**
 * Caches the revision columns and the card of a status. The caller must commit the transaction of the status first.
 * @param mentionedAccounts records of the mentioned accounts
 */
export const cacheNewStatus = (
  ctx: Pick<Context, 'revisionCache' | 'statusCards' | 'site'>,
  full: FullStatus,
  mentionedAccounts: readonly AccountRecord[],
): void => {
  const fixed = firstRevisionColumnsOf(full)
  const { row, mentions } = full
  ctx.revisionCache.set(fixed.id, fixed)
  const card = {
    ...fixed,
    created_at: row.created_at,
    edited_at: row.edited_at ?? null,
    spoiler_text: row.spoiler_text ?? '',
    url: row.url,
    html: row.html ?? '',
    mentions: [...mentions],
    emojis: [...(row.emojis ?? [])],
  }
  const byId = new Map(mentionedAccounts.map((account) => [account.id, account]))
  ctx.statusCards.prime(cardName(fixed), cardText(card, byId, ctx.site.origin))
}
