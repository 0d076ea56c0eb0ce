/** How the viewer stands to each of these accounts. */
import { relationshipList } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { relationsOfViewer } from '../../store/relation.js'
import { relationshipOf } from '../../views/relationship.js'

export const listRelationships = handle(relationshipList, async (ctx, viewer, { id, with_suspended }) => {
  const rows = await relationsOfViewer(ctx.db, viewer.id, id, {
    at: ctx.clock.date(),
    withSuspended: with_suspended,
  })
  return rows.map(relationshipOf)
})
