/** Reactions of given accounts to given statuses, for the notifications about them. */
import { emojiReactionsOf } from '@murmuration/contracts/statuses'
import { reactionsOfPairs } from '../core/emoji-reaction/store.js'
import { handle } from '../handlers.js'

export const listReactionsOf = handle(emojiReactionsOf, async (ctx, _viewer, { pairs }) => {
  const rows = await reactionsOfPairs(ctx.db, pairs)
  return {
    reactions: rows.map(({ account_id, status_id, name, url }) => ({
      account: account_id,
      status: status_id,
      // Clients write a custom emoji between colons here, and without them in the list of a status.
      emoji: url === null ? name : `:${name}:`,
      url,
    })),
  }
})
