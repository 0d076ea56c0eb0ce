/** Makes a list. */
import { listCreate } from '@murmuration/contracts/accounts'
import { invalidField } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import { listTitle, repliesPolicy } from '../../domain/list.js'
import { handle } from '../../doors.js'
import { countLists, insertList } from '../../store/list.js'
import { lockName } from '../../store/lock.js'

export const createList = handle(listCreate, async (ctx, viewer, input) => {
  const list = {
    id: ctx.ids.next(),
    title: listTitle(input.title ?? ''),
    replies_policy: repliesPolicy(input.replies_policy ?? 'list'),
    exclusive: input.exclusive,
  }
  await ctx.db.tx(async (tx) => {
    await lockName(tx, `lists ${viewer.id}`)
    if ((await countLists(tx, viewer.id)) >= limits.accounts.lists)
      throw invalidField('You have reached the maximum number of lists')
    await insertList(tx, viewer.id, list, ctx.clock.date())
  })
  return list
})
