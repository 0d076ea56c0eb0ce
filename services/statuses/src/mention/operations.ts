/**
 * Handler that returns the accounts that an author recently mentioned. The mentioned accounts receive updates of the
 * author's profile.
 */
import { recentlyMentioned } from '@murmuration/contracts/statuses'
import { mentionedSince } from '../core/status/mention.store.js'
import { handle } from '../handlers.js'

export const listRecent = handle(recentlyMentioned, async (ctx, _viewer, { author, since, limit }) => ({
  accounts: await mentionedSince(ctx.db, author, { since, limit }),
}))
