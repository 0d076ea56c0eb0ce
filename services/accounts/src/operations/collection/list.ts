/** Collections that an account keeps. */
import { collectionsOfAccount } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { collectionsKeptBy } from '../../store/collection.js'
import { standingsOfViewer } from '../../store/relation.js'
import { slicedCollections } from '../../views/collection-slice.js'
import { otherAccount } from '../../views/other-account.js'

export const listCollections = handle(collectionsOfAccount, async (ctx, viewer, { id, ...slice }) => {
  const account = await otherAccount(ctx, id)
  const own = viewer?.id === id
  const [standing] = viewer && !own ? await standingsOfViewer(ctx.db, viewer.id, [id], ctx.clock.date()) : []
  // To people whom the keeper blocks, and of suspended keepers, there is nothing.
  if (account.suspended || standing?.blocked_by) return { collections: [] }
  return slicedCollections(ctx, viewer?.id ?? null, slice, (more) => collectionsKeptBy(ctx.db, id, own, more))
})
