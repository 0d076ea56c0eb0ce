/** Takes accounts out of a list of the viewer. */
import { listChanged, listMemberRemove } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { deleteMembers, listOfOwner } from '../../store/list.js'

export const removeListMembers = handle(listMemberRemove, async (ctx, viewer, { id, account_ids }) => {
  if (!(await listOfOwner(ctx.db, viewer.id, id))) throw notFound()
  await ctx.db.tx(async (tx) => {
    if (await deleteMembers(tx, id, viewer.id, account_ids))
      await ctx.announce(tx, listChanged, { id, owner: viewer.id })
  })
  return {}
})
