/** Handler that lists local accounts with their lists. The admin service rebuilds feeds from pages of this list. */
import { feedOwners } from '@murmuration/contracts/accounts'
import { readTime } from '@murmuration/text'
import { handle } from '../handlers.js'
import { feedOwnersAfter } from './feed-owner.store.js'

export const listFeedOwners = handle(feedOwners, async (ctx, _viewer, { since, limit, ...it }) => {
  const owners = await feedOwnersAfter(ctx.db, {
    ...it,
    limit,
    since: since === null ? null : new Date(readTime(since)),
  })
  const shown = owners.map(({ active_at, ...one }) => ({ ...one, activeAt: active_at?.toISOString() ?? null }))
  return { owners: shown, next: owners.length < limit ? null : (owners.at(-1)?.id ?? null) }
})
