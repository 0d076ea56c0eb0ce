/** Handlers of follow requests. */
import { authorizeFollowRequest, listFollowRequests, rejectFollowRequest } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { accountPage } from '../core/account/page.js'
import { requestersOf } from '../core/follow/page.store.js'
import { lockPair } from '../core/lock.store.js'
import { relationshipTo } from '../core/relationship/relationship.js'
import { handle } from '../handlers.js'
import { acceptRequests, endRequests } from './begin.js'

/** Accounts that request to follow the viewer, newest first. */
export const list = handle(listFollowRequests, async (ctx, viewer, page) =>
  accountPage(ctx, listFollowRequests.output, page, await requestersOf(ctx.db, viewer.id, page)),
)

/** Accepts a follow request to the viewer. */
export const authorize = handle(authorizeFollowRequest, async (ctx, viewer, { account_id: from }) => {
  await ctx.db.tx(async (tx) => {
    await lockPair(tx, viewer.id, from)
    const accepted = await acceptRequests(ctx, tx, viewer.id, { from: [from] })
    // A follow request that does not exist cannot be accepted (A078).
    if (accepted.length === 0) throw notFound()
  })
  return relationshipTo(ctx, viewer.id, from)
})

/** Rejects a follow request to the viewer. */
export const reject = handle(rejectFollowRequest, async (ctx, viewer, { account_id: from }) => {
  await ctx.db.tx(async (tx) => {
    await lockPair(tx, viewer.id, from)
    const rejected = await endRequests(ctx, tx, [{ from, to: viewer.id }], () => 'rejected')
    if (rejected.length === 0) throw notFound()
  })
  return relationshipTo(ctx, viewer.id, from)
})
