/** A hashtag taken off a profile is a Remove from the featured collection, and a changed profile. */
import { tagUnfeatured } from '@murmuration/contracts/statuses'
import { tellFeaturedTag } from '../delivery/featured-tag.js'
import { react } from '../doors.js'

export const onTagUnfeatured = react(tagUnfeatured, 'on-tag-unfeatured', (ctx, e) => tellFeaturedTag(ctx, 'Remove', e))
