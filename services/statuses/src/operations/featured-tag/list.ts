/** Hashtags the viewer features, the most used first. */
import { featuredTagList } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { showFeaturedTags } from '../../views/featured-tag.js'

export const list = handle(featuredTagList, (ctx, viewer) => showFeaturedTags(ctx, viewer.id))
