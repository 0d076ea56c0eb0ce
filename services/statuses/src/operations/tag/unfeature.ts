/** Takes a hashtag off the viewer’s profile. */
import { tagUnfeature } from '@murmuration/contracts/statuses'
import { tagOfPath, unfeatureTag } from '../../changes/featured-tag.js'
import { handle } from '../../doors.js'
import { showTag } from '../../views/tag.js'

export const unfeature = handle(tagUnfeature, async (ctx, viewer, { name }) => {
  const named = tagOfPath(name)
  await unfeatureTag(ctx, viewer.id, (row) => row.tag === named.name)
  return showTag(ctx, viewer.id, named)
})
