/** Shows a hashtag on the viewer’s profile. */
import { tagFeature } from '@murmuration/contracts/statuses'
import { featureTag, tagOfPath } from '../../changes/featured-tag.js'
import { handle } from '../../doors.js'
import { showTag } from '../../views/tag.js'

export const feature = handle(tagFeature, async (ctx, viewer, { name }) => {
  const named = tagOfPath(name)
  await featureTag(ctx, viewer.id, named)
  return showTag(ctx, viewer.id, named)
})
