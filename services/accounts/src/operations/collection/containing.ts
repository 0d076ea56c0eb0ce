/** Collections of others in which the viewer is. */
import { collectionsWithAccount } from '@murmuration/contracts/accounts'
import { fail } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { collectionsHolding } from '../../store/collection.js'
import { slicedCollections } from '../../views/collection-slice.js'
import { otherAccount } from '../../views/other-account.js'

export const listCollectionsContaining = handle(collectionsWithAccount, async (ctx, viewer, { id, ...slice }) => {
  await otherAccount(ctx, id)
  if (id !== viewer.id) throw fail('forbidden', 'This action is not allowed')
  return slicedCollections(ctx, viewer.id, slice, (more) => collectionsHolding(ctx.db, id, more))
})
