/** Collection JSON by id as one person sees it, for notifications and for statuses that link to it. */
import { collectionCards } from '@murmuration/contracts/accounts'
import { toJson } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { collectionsByIds } from '../../store/collection.js'
import { standingsOfViewer } from '../../store/relation.js'
import { collectionsOf } from '../../views/collection.js'

export const getCollectionCards = handle(collectionCards, async (ctx, _viewer, { viewer, ids }) => {
  const rows = (await collectionsByIds(ctx.db, ids)).filter((row) => !row.owner_suspended)
  const owners = [...new Set(rows.map((row) => row.account_id))]
  const standings = viewer === null ? [] : await standingsOfViewer(ctx.db, viewer, owners, ctx.clock.date())
  const turnedAway = new Set(standings.filter((one) => one.blocked_by).map((one) => one.id))
  const shown = await collectionsOf(
    ctx,
    rows.filter((row) => !turnedAway.has(row.account_id)),
    viewer,
  )
  return new Map(shown.map((one) => [one.id, toJson(one)]))
})
