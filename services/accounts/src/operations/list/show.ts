/** One list of the viewer. */
import { listShow } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { listOfOwner } from '../../store/list.js'

export const showList = handle(listShow, async (ctx, viewer, { id }) => {
  const list = await listOfOwner(ctx.db, viewer.id, id)
  if (!list) throw notFound()
  return list
})
