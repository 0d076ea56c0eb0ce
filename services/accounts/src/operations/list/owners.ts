/** Whose each of these lists is, for those who let people in. */
import { listOwners } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { ownersOfLists } from '../../store/list.js'

export const getListOwners = handle(listOwners, async (ctx, _viewer, { ids }) => ({
  owners: Object.fromEntries(await ownersOfLists(ctx.db, ids)),
}))
