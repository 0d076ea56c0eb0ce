/** A hashtag by name, also one that nobody used yet. */
import { tagShow } from '@murmuration/contracts/statuses'
import { tagOfPath } from '../../changes/featured-tag.js'
import { handle } from '../../doors.js'
import { showTag } from '../../views/tag.js'

export const show = handle(tagShow, (ctx, viewer, { name }) => showTag(ctx, viewer?.id ?? null, tagOfPath(name)))
