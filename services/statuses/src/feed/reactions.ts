/** Reactions that change feeds after changes of relationships and lists. */
import {
  domainBlocked,
  followCreated,
  followRemoved,
  listChanged,
  muteCreated,
  muteRemoved,
} from '@murmuration/contracts/accounts'
import { react } from '../handlers.js'
import { mergeIn, takeOut } from './change.js'
import { dropFeeds, homeKey, listKey } from './store.js'

/** A new follow brings the latest statuses of the followed account into the follower’s home feed. */
export const onFollowCreated = react(followCreated, 'on-follow-created', async (ctx, e) => {
  if (e.fromLocal) await mergeIn(ctx, e.from, e.to)
})

/** An ended follow takes the account out of the follower’s home feed. */
export const onFollowRemoved = react(followRemoved, 'on-follow-removed', async (ctx, e) => {
  if (e.fromLocal) await takeOut(ctx, e.from, e.to, 'written')
})

/** A mute takes the account out of the home feed. */
export const onMuteCreated = react(muteCreated, 'on-mute-created', async (ctx, e) => {
  if (e.fromLocal) await takeOut(ctx, e.from, e.to, 'naming')
})

/** A lifted mute brings a followed account back into the home feed. */
export const onMuteRemoved = react(muteRemoved, 'on-mute-removed', async (ctx, e) => {
  if (e.fromLocal) await mergeIn(ctx, e.from, e.to)
})

/** A list with other members or rules is made anew when it is read next. */
export const onListChanged = react(listChanged, 'on-list-changed', async (ctx, { id, owner }) => {
  await dropFeeds(ctx.redis, [listKey(owner, id)])
})

/** A blocked domain may be anywhere in the home feed, so the feed is made anew when it is read next. */
export const onDomainBlocked = react(domainBlocked, 'on-domain-blocked', async (ctx, { id }) => {
  await dropFeeds(ctx.redis, [homeKey(id)])
})
