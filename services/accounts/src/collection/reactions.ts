/**
 * When a local account follows a remote account, queues a fetch of its collections, at most once a day for each remote
 * account. Stores which hashtags collections may not have.
 */
import { followCreated, syncCollectionsJob } from '@murmuration/contracts/accounts'
import { unusableTagsListed } from '@murmuration/contracts/statuses'
import { readTime } from '@murmuration/text'
import { react } from '../handlers.js'
import { markRead } from './remote.store.js'
import { putUnusable } from './tag.store.js'

const DAY_MS = 86_400_000

export const onFollowCreated = react(followCreated, 'on-follow-created', async (ctx, e) => {
  if (!e.fromLocal || e.toLocal) return
  const now = ctx.clock.date()
  await ctx.db.tx(async (tx) => {
    const url = await markRead(tx, e.to, now, new Date(now.getTime() - DAY_MS))
    if (url !== null) await ctx.queue(tx, syncCollectionsJob, { account: e.to, url })
  })
})

export const onUnusableTagsListed = react(unusableTagsListed, 'on-unusable-tags-listed', (ctx, { names, listedAt }) =>
  putUnusable(ctx.db, names, new Date(readTime(listedAt))),
)
