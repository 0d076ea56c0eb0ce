/** No longer features an account. */
import { endorsementRemove } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { deleteEndorsement } from '../../store/endorsement.js'
import { otherAccount } from '../../views/other-account.js'
import { relationshipTo } from '../../views/relationship.js'

export const removeEndorsement = handle(endorsementRemove, async (ctx, viewer, { id }) => {
  await otherAccount(ctx, id)
  await ctx.db.tx((tx) => deleteEndorsement(tx, { from: viewer.id, to: id }))
  return relationshipTo(ctx, viewer.id, id)
})
