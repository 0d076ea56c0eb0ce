/**
 * Stores and deletes emoji reactions of remote accounts. Each belongs to a favourite, and is deleted with that
 * favourite.
 */
import type { AccountRecord } from '@murmuration/contracts/accounts'
import { proxyUrls } from '@murmuration/contracts/media'
import type { RemoteReaction } from '@murmuration/contracts/statuses'
import type { Tx } from '@murmuration/db'
import type { BaseContext } from '@murmuration/kernel'
import { deleteReaction, putReaction, type Reaction, type ReactionEmoji } from '../core/emoji-reaction/store.js'
import { addTo } from '../core/status/count.store.js'
import { emojiIn, isEmojiName } from './rules.js'

/**
 * The emoji to store, for a custom emoji with its local copy. Null if the text is not an emoji; the activity then
 * counts as a favourite only.
 */
export const readReaction = async (
  ctx: Pick<BaseContext<typeof proxyUrls>, 'call'>,
  reaction: RemoteReaction | undefined,
  by: Pick<AccountRecord, 'domain'>,
): Promise<ReactionEmoji | null> => {
  if (reaction === undefined) return null
  const { name, emoji } = reaction
  if (emoji === null) {
    const found = emojiIn(name)
    return found === null ? null : { name: found, domain: null, url: null, static_url: null }
  }
  if (by.domain === null || !isEmojiName(emoji.shortcode)) return null
  const { urls, static_urls } = await ctx.call(proxyUrls, {
    items: [{ owner: by.domain, kind: 'emoji', remote: emoji.url, shortcode: emoji.shortcode, updated: emoji.updated }],
  })
  const url = urls[emoji.url]
  if (url === undefined) return null
  return { name: emoji.shortcode, domain: by.domain, url, static_url: static_urls[emoji.url] ?? url }
}

/** Stores an emoji reaction and replaces an older one by the same account. */
export const storeReaction = async (
  ctx: Pick<BaseContext<never>, 'clock'>,
  tx: Tx,
  reaction: Reaction,
): Promise<void> => {
  if (await putReaction(tx, reaction, ctx.clock.date())) await addTo(tx, 'reactions', reaction.status_id, 1)
}

/** Deletes the emoji reaction of an account. Returns false if it did not exist. */
export const removeReaction = async (tx: Tx, account: string, status: string): Promise<boolean> => {
  const removed = await deleteReaction(tx, account, status)
  if (removed) await addTo(tx, 'reactions', status, -1)
  return removed
}
