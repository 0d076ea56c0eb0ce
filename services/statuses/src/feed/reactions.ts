/** Event handlers that change feeds after changes of relationships and lists. */
import {
  domainBlocked,
  followCreated,
  followRemoved,
  listChanged,
  muteCreated,
  muteRemoved,
} from '@murmuration/contracts/accounts'
import type { Context } from '../context.js'
import { relationshipsOf } from '../core/viewer/relationships.js'
import { react } from '../handlers.js'
import { mergeAccountIntoHome, removeAccountFromHome } from './change.js'
import { dropFeeds, homeKey, listKey } from './store.js'

/**
 * The current relationship of one account to another; undefined for unknown accounts. It is read because an event may
 * arrive after a newer change of the relationship.
 */
const relationshipNow = async (ctx: Context, from: string, to: string) =>
  (await relationshipsOf(ctx, from, [to])).get(to)

/** Adds the latest statuses of a newly followed account to the follower's home feed. */
export const onFollowCreated = react(followCreated, 'on-follow-created', async (ctx, e) => {
  if (e.fromLocal) await mergeAccountIntoHome(ctx, e.from, e.to)
})

/** Removes the statuses of an unfollowed account from the home feed, unless it is followed again. */
export const onFollowRemoved = react(followRemoved, 'on-follow-removed', async (ctx, e) => {
  if (!e.fromLocal || (await relationshipNow(ctx, e.from, e.to))?.following) return
  await removeAccountFromHome(ctx, e.from, e.to, 'written')
})

/** Removes statuses that name a muted account from the home feed, unless the mute has ended. */
export const onMuteCreated = react(muteCreated, 'on-mute-created', async (ctx, e) => {
  if (!e.fromLocal || (await relationshipNow(ctx, e.from, e.to))?.muting === false) return
  await removeAccountFromHome(ctx, e.from, e.to, 'naming')
})

/** Adds the statuses of a followed account to the home feed again after its mute ended. */
export const onMuteRemoved = react(muteRemoved, 'on-mute-removed', async (ctx, e) => {
  if (e.fromLocal) await mergeAccountIntoHome(ctx, e.from, e.to)
})

/** Deletes the feed of a list whose members or rules changed. The next reader rebuilds the feed. */
export const onListChanged = react(listChanged, 'on-list-changed', async (ctx, { id, owner }) => {
  await dropFeeds(ctx.redis, [listKey(owner, id)])
})

/**
 * Deletes the home feed after a domain block, because any entry may be of that domain. The next reader rebuilds the
 * feed.
 */
export const onDomainBlocked = react(domainBlocked, 'on-domain-blocked', async (ctx, { id }) => {
  await dropFeeds(ctx.redis, [homeKey(id)])
})
