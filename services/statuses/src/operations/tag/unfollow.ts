/** No longer follows a hashtag; what was in the home feed only because of it goes. */
import { tagUnfollow, takeOutTag } from '@murmuration/contracts/statuses'
import { tagOfPath } from '../../changes/featured-tag.js'
import { handle } from '../../doors.js'
import { tagsByName } from '../../store/tag.js'
import { deleteTagFollow } from '../../store/tag-follow.js'
import { showTag } from '../../views/tag.js'

export const unfollow = handle(tagUnfollow, async (ctx, viewer, { name }) => {
  const named = tagOfPath(name)
  const tag = (await tagsByName(ctx.db, [named.name])).get(named.name)
  if (tag)
    await ctx.db.tx(async (tx) => {
      if (await deleteTagFollow(tx, viewer.id, tag.id))
        await ctx.queue(tx, takeOutTag, { account: viewer.id, tag: tag.id })
    })
  return showTag(ctx, viewer.id, named)
})
