/** Hashtags the viewer used most lately and does not feature. */
import { limits } from '@murmuration/contracts/limits'
import { featuredTagSuggestions } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { tagsToFeature } from '../../store/featured-tag.js'
import { showTags } from '../../views/tag.js'

export const suggest = handle(featuredTagSuggestions, async (ctx, viewer) =>
  showTags(ctx, viewer.id, await tagsToFeature(ctx.db, viewer.id, limits.accounts.featuredTagSuggestions)),
)
