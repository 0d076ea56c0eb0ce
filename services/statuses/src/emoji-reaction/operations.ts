/** Handler that returns emoji reactions of given accounts to given statuses, for notifications. */
import { emojiReactionsOf } from '@murmuration/contracts/statuses'
import { reactionsOfPairs } from '../core/emoji-reaction/store.js'
import { handle } from '../handlers.js'

export const listReactionsOf = handle(emojiReactionsOf, async (ctx, _viewer, { pairs }) => {
  const rows = await reactionsOfPairs(ctx.db, pairs)
  return {
    reactions: rows.map(({ account_id, status_id, name, url }) => ({
      account: account_id,
      status: status_id,
      // For notifications, the shortcode of a custom emoji is between colons. In the reactions of a status, it has no
      // colons.
      emoji: url === null ? name : `:${name}:`,
      url,
    })),
  }
})
