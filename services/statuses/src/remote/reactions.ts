/** Queues fetching the latest statuses of a remote account when a local account follows it. */
import { followCreated } from '@murmuration/contracts/accounts'
import { refetchAuthor } from '../core/refetch/refetch.js'
import { react } from '../handlers.js'

export const onFollowCreatedElsewhere = react(followCreated, 'on-follow-created-elsewhere', async (ctx, e) => {
  if (e.fromLocal && !e.toLocal) await refetchAuthor(ctx, e.to, e.from, e.eventId)
})
