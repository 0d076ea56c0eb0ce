/** Ids of everything that a person wrote and boosted, oldest first. */
import { ownStatusIds } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { idsOfAuthor } from '../../store/mark.js'

export const ownIds = handle(ownStatusIds, async (ctx, _viewer, { author, after, limit }) => ({
  ids: await idsOfAuthor(ctx.db, author, { after: after ?? '0', limit }),
}))
