/** An approval that somebody here gave, while it holds. */
import { showStamp } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { stampById } from '../../store/quote-stamp.js'
import { rowOf } from '../../store/status.js'

export const stamp = handle(showStamp, async (ctx, _viewer, { id }) => {
  const given = await stampById(ctx.db, id)
  const quoted = given && !given.revoked ? await rowOf(ctx.db, given.quoted_id) : null
  if (!given || !quoted) return { stamp: null }
  return {
    stamp: {
      author: given.quoted_author_id,
      quoted: quoted.id,
      quotedUri: quoted.uri,
      statusUri: given.quoting_uri,
    },
  }
})
