/** Changes the viewer’s own profile and shows it. */
import { profileChange } from '@murmuration/contracts/accounts'
import { profileUpdate } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { showFeaturedTags } from '../../views/featured-tag.js'

export const update = handle(profileUpdate, async (ctx, viewer, input) => {
  const profile = await ctx.call(profileChange, { ...input, id: viewer.id })
  return { ...profile, featured_tags: await showFeaturedTags(ctx, viewer.id) }
})
