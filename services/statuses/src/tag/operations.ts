/** Handlers of hashtags and hashtag follows. */

import { pageReply, reply, toJson } from '@murmuration/contracts/kit'
import {
  checkTag,
  followTag,
  listFollowedTags,
  removeTagFromHome,
  showTag as showTagOperation,
  unfollowTag,
} from '@murmuration/contracts/statuses'
import { endsOf, newestFirst } from '@murmuration/db'
import { normaliseTag } from '@murmuration/text'
import { showTag, showTags } from '../core/tag/show.js'
import { ensureTag, tagsByName, unusableAmong } from '../core/tag/store.js'
import { tagOfPath } from '../featured-tag/index.js'
import { handle } from '../handlers.js'
import { deleteTagFollow, insertTagFollow, tagFollowsOf } from './follow.store.js'

/** A hashtag by name, even if it was never used. */
export const show = handle(showTagOperation, (ctx, viewer, { name }) =>
  showTag(ctx, viewer?.id ?? null, tagOfPath(name)),
)

/** Whether staff allows a hashtag, which may be unknown. */
export const check = handle(checkTag, async (ctx, _viewer, { name }) => ({
  usable: (await unusableAmong(ctx.db, [normaliseTag(name)])).length === 0,
}))

/** Follows a hashtag. Later public statuses with the hashtag enter the home feed. */
export const follow = handle(followTag, async (ctx, viewer, { name }) => {
  const named = tagOfPath(name)
  const fresh = await ctx.db.tx(async (tx) => {
    const tag = await ensureTag(tx, named, () => ctx.ids.next())
    return insertTagFollow(tx, ctx.ids.next(), viewer.id, tag.id)
  })
  return reply(await showTag(ctx, viewer.id, named), fresh ? {} : { headers: { 'X-Unchanged': '1' } })
})

/** Stops following a hashtag. Queues the removal of statuses that are in the home feed only because of this hashtag. */
export const unfollow = handle(unfollowTag, async (ctx, viewer, { name }) => {
  const named = tagOfPath(name)
  const tag = (await tagsByName(ctx.db, [named.name])).get(named.name)
  if (tag)
    await ctx.db.tx(async (tx) => {
      if (await deleteTagFollow(tx, viewer.id, tag.id))
        await ctx.queue(tx, removeTagFromHome, { account: viewer.id, tag: tag.id })
    })
  return showTag(ctx, viewer.id, named)
})

/** Hashtags that the viewer follows, latest follow first. */
export const listFollowed = handle(listFollowedTags, async (ctx, viewer, page) => {
  const rows = newestFirst(await tagFollowsOf(ctx.db, viewer.id, page), page)
  const tags = await showTags(ctx, viewer.id, rows)
  return pageReply(
    listFollowedTags.output,
    tags.map((tag) => toJson(tag)),
    endsOf(
      rows.map((row) => row.cursor),
      page,
    ),
  )
})
