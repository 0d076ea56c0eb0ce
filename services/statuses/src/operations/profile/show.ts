/** The viewer’s own profile for editing, with the hashtags on it. */
import { profileGet } from '@murmuration/contracts/accounts'
import { profileShow } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { showFeaturedTags } from '../../views/featured-tag.js'

export const show = handle(profileShow, async (ctx, viewer) => {
  const [profile, featured_tags] = await Promise.all([
    ctx.call(profileGet, { id: viewer.id }),
    showFeaturedTags(ctx, viewer.id),
  ])
  return { ...profile, featured_tags }
})
