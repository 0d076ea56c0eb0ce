/** A hashtag on a profile is an Add to the featured collection, and a changed profile. */
import { tagFeatured } from '@murmuration/contracts/statuses'
import { tellFeaturedTag } from '../delivery/featured-tag.js'
import { react } from '../doors.js'

export const onTagFeatured = react(tagFeatured, 'on-tag-featured', (ctx, e) => tellFeaturedTag(ctx, 'Add', e))
