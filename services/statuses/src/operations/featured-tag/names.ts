/** What a person here features, for actor documents. */
import { featuredTagNames } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { showFeaturedTags } from '../../views/featured-tag.js'

export const names = handle(featuredTagNames, async (ctx, _viewer, { account }) => ({
  tags: (await showFeaturedTags(ctx, account)).map(({ name, url }) => ({ name, url })),
}))
