/** Handlers of follow requests. */
import { followRequestAuthorize, followRequestList, followRequestReject } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { accountPage } from '../core/account-page.js'
import { requestersOf } from '../core/follow-page.store.js'
import { lockPair } from '../core/lock.store.js'
import { relationshipTo } from '../core/relationship.js'
import { handle } from '../handlers.js'
import { acceptRequests, endRequests } from './begin.js'

/** Accounts that request to follow the viewer, newest first. */
export const listFollowRequests = handle(followRequestList, async (ctx, viewer, page) =>
  accountPage(ctx, followRequestList.output, page, await requestersOf(ctx.db, viewer.id, page)),
)

/** Accepts a follow request to the viewer. */
export const authorizeFollowRequest = handle(followRequestAuthorize, async (ctx, viewer, { account_id: from }) => {
  await ctx.db.tx(async (tx) => {
    await lockPair(tx, viewer.id, from)
    const accepted = await acceptRequests(ctx, tx, viewer.id, { from: [from] })
    // A follow request that does not exist cannot be accepted (A078).
    if (accepted.length === 0) throw notFound()
  })
  return relationshipTo(ctx, viewer.id, from)
})

/** Rejects a follow request to the viewer. */
export const rejectFollowRequest = handle(followRequestReject, async (ctx, viewer, { account_id: from }) => {
  await ctx.db.tx(async (tx) => {
    await lockPair(tx, viewer.id, from)
    const rejected = await endRequests(ctx, tx, [{ from, to: viewer.id }], () => 'rejected')
    if (rejected.length === 0) throw notFound()
  })
  return relationshipTo(ctx, viewer.id, from)
})
