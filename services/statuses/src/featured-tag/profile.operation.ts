/** Handlers of the viewer's own profile with its featured hashtags. */
import { profileChange, profileGet } from '@murmuration/contracts/accounts'
import { profileShow, profileUpdate } from '@murmuration/contracts/statuses'
import { handle } from '../handlers.js'
import { showFeaturedTags } from './show.js'

/** The viewer's own profile for editing, with featured hashtags. */
export const show = handle(profileShow, async (ctx, viewer) => {
  const [profile, featured_tags] = await Promise.all([
    ctx.call(profileGet, { id: viewer.id }),
    showFeaturedTags(ctx, viewer.id),
  ])
  return { ...profile, featured_tags }
})

/** Changes the viewer's own profile and returns it. */
export const update = handle(profileUpdate, async (ctx, viewer, input) => {
  const profile = await ctx.call(profileChange, { ...input, id: viewer.id })
  return { ...profile, featured_tags: await showFeaturedTags(ctx, viewer.id) }
})
