/** Changes a list. */
import { listChanged, listUpdate } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { listTitle, repliesPolicy } from '../../domain/list.js'
import { handle } from '../../doors.js'
import { listOfOwner, updateList } from '../../store/list.js'

export const changeList = handle(listUpdate, async (ctx, viewer, input) => {
  // Whether the list is there comes before what is wrong with the rest.
  if (!(await listOfOwner(ctx.db, viewer.id, input.id))) throw notFound()
  const change = {
    id: input.id,
    ...(input.title === undefined ? {} : { title: listTitle(input.title) }),
    ...(input.replies_policy === undefined ? {} : { replies_policy: repliesPolicy(input.replies_policy) }),
    ...(input.exclusive === undefined ? {} : { exclusive: input.exclusive }),
  }
  return ctx.db.tx(async (tx) => {
    const list = await updateList(tx, viewer.id, change)
    if (!list) throw notFound()
    await ctx.announce(tx, listChanged, { id: list.id, owner: viewer.id })
    return list
  })
})
