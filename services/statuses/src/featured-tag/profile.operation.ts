/** Handlers of the viewer's own profile with its featured hashtags. */
import { changeProfile, getProfile } from '@murmuration/contracts/accounts'
import { showProfile, updateProfile } from '@murmuration/contracts/statuses'
import { handle } from '../handlers.js'
import { showFeaturedTags } from './show.js'

/** The viewer's own profile for editing, with featured hashtags. */
export const show = handle(showProfile, async (ctx, viewer) => {
  const [profile, featured_tags] = await Promise.all([
    ctx.call(getProfile, { id: viewer.id }),
    showFeaturedTags(ctx, viewer.id),
  ])
  return { ...profile, featured_tags }
})

/** Changes the viewer's own profile and returns it. */
export const update = handle(updateProfile, async (ctx, viewer, input) => {
  const profile = await ctx.call(changeProfile, { ...input, id: viewer.id })
  return { ...profile, featured_tags: await showFeaturedTags(ctx, viewer.id) }
})
