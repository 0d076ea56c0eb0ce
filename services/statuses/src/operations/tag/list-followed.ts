/** Hashtags the viewer follows, the latest first. */
import { pageReply, toJson } from '@murmuration/contracts/kit'
import { tagFollowedList } from '@murmuration/contracts/statuses'
import { endsOf, newestFirst } from '@murmuration/db'
import { handle } from '../../doors.js'
import { tagFollowsOf } from '../../store/tag-follow.js'
import { showTags } from '../../views/tag.js'

export const listFollowed = handle(tagFollowedList, async (ctx, viewer, page) => {
  const rows = newestFirst(await tagFollowsOf(ctx.db, viewer.id, page), page)
  const tags = await showTags(ctx, viewer.id, rows)
  return pageReply(
    tagFollowedList.output,
    tags.map((tag) => toJson(tag)),
    endsOf(
      rows.map((row) => row.cursor),
      page,
    ),
  )
})
