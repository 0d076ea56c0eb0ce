/** Follows a hashtag: what is written with it from now on comes into the home feed. */
import { reply } from '@murmuration/contracts/kit'
import { tagFollow } from '@murmuration/contracts/statuses'
import { tagOfPath } from '../../changes/featured-tag.js'
import { handle } from '../../doors.js'
import { ensureTag } from '../../store/tag.js'
import { insertTagFollow } from '../../store/tag-follow.js'
import { showTag } from '../../views/tag.js'

export const follow = handle(tagFollow, async (ctx, viewer, { name }) => {
  const named = tagOfPath(name)
  const fresh = await ctx.db.tx(async (tx) => {
    const tag = await ensureTag(tx, named, () => ctx.ids.next())
    return insertTagFollow(tx, ctx.ids.next(), viewer.id, tag.id)
  })
  return reply(await showTag(ctx, viewer.id, named), fresh ? {} : { headers: { 'X-Unchanged': '1' } })
})
