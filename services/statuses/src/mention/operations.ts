/** Whom an author named of late, who want to hear when the author looks different. */
import { mentionedLately } from '@murmuration/contracts/statuses'
import { mentionedSince } from '../core/status/mention.store.js'
import { handle } from '../handlers.js'

export const lately = handle(mentionedLately, async (ctx, _viewer, { author, since, limit }) => ({
  accounts: await mentionedSince(ctx.db, author, { since, limit }),
}))
