/** Takes a hashtag off the viewer’s profile. */
import { notFound } from '@murmuration/contracts/kit'
import { featuredTagRemove } from '@murmuration/contracts/statuses'
import { unfeatureTag } from '../../changes/featured-tag.js'
import { handle } from '../../doors.js'

export const remove = handle(featuredTagRemove, async (ctx, viewer, { id }) => {
  if (!(await unfeatureTag(ctx, viewer.id, (row) => row.id === id))) throw notFound()
  return {}
})
