/**
 * Finds the hashtag followers whose home feeds receive a status. Queues jobs that add the status to these feeds or
 * remove it.
 */
import { audience, feedRelationships } from '@murmuration/contracts/accounts'
import { fanOutTags } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import type { LoadedStatus } from '../core/viewer/loaded-status.store.js'
import { anyFollows } from '../tag/index.js'
import { namedIn } from './receivers.js'
import type { FeedStatus } from './rules.js'
import { isSentByTag, receivesByTag } from './tag.rules.js'

/**
 * Tag followers of a page whose home feed receives the status: active, and without a block or mute of an account that
 * the status names.
 */
export const tagReceivers = async (ctx: Context, status: FeedStatus, page: readonly string[]): Promise<string[]> => {
  if (page.length === 0) return []
  const [{ followers }, { apart: blockStates }] = await Promise.all([
    ctx.call(audience, { author: status.authorId, about: [...page], activeDays: ctx.config.activeDays }),
    ctx.call(feedRelationships, { viewers: [...page], named: namedIn(status), answers: null }),
  ])
  return followers
    .map((one) => one.id)
    .filter((id) => receivesByTag(status, { id, blockStates: blockStates[id] ?? [] }))
}

/**
 * Queues the fan-out of a public status to followers of its hashtags. For a hashtag without followers, the function
 * needs one query.
 */
export const queueFanOutByTags = async (
  ctx: Context,
  status: LoadedStatus,
  edited: number | undefined,
): Promise<void> => {
  if (!isSentByTag(status) || !(await anyFollows(ctx.db, status.tags))) return
  await ctx.queues.push(fanOutTags, {
    id: `${status.id}:tags:${edited ?? 0}`,
    data: { status: status.id, edited },
  })
}

/** Queues the removal of a deleted status from the home feeds that received it by a hashtag. */
export const queueRemovalByTags = async (
  ctx: Context,
  row: { id: string; visibility: number; reblog_of_id: string | null; tags: readonly string[] },
): Promise<void> => {
  if (!isSentByTag({ ...row, silenced: false }) || !(await anyFollows(ctx.db, row.tags))) return
  await ctx.queues.push(fanOutTags, { id: `${row.id}:tags:gone`, data: { status: row.id, gone: true } })
}
