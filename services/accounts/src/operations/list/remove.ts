/** Deletes a list. */
import { listChanged, listRemove } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { deleteList } from '../../store/list.js'

export const removeList = handle(listRemove, async (ctx, viewer, { id }) => {
  await ctx.db.tx(async (tx) => {
    if ((await deleteList(tx, viewer.id, id)) === 0) throw notFound()
    await ctx.announce(tx, listChanged, { id, owner: viewer.id })
  })
  return {}
})
