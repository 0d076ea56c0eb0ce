/** Finds the hashtag followers whose home feeds receive a status. */
import { audience, feedRelationships } from '@murmuration/contracts/accounts'
import type { Context } from '../context.js'
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

/** True for a public status with a hashtag that an account follows. */
export const isFollowedByTag = async (
  ctx: Pick<Context, 'db'>,
  status: { visibility: number; reblog_of_id: string | null; silenced: boolean | null; tags: readonly string[] },
): Promise<boolean> => isSentByTag(status) && (await anyFollows(ctx.db, status.tags))
