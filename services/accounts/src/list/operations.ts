/** Handlers of lists. */

import type { List } from '@murmuration/contracts'
import {
  createList,
  listChanged,
  listIndex,
  listOwners,
  listsOfAccount,
  removeList,
  showList,
  updateList as updateListOperation,
} from '@murmuration/contracts/accounts'
import { invalidField, type Json, notFound, toJson } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import { storedResult, storeResult } from '@murmuration/db'
import { otherAccount } from '../core/account/visible-account.js'
import { lockName } from '../core/lock.store.js'
import { handle } from '../handlers.js'
import { listTitle, repliesPolicy } from './rules.js'
import {
  countLists,
  deleteList,
  insertList,
  listOfOwner,
  listsContaining,
  listsOfOwner,
  ownersOfLists,
  updateList,
} from './store.js'

/** Returns the lists of the viewer, in order of creation. */
export const indexLists = handle(listIndex, (ctx, viewer) => listsOfOwner(ctx.db, viewer.id))

/** Returns one list of the viewer. */
export const show = handle(showList, async (ctx, viewer, { id }) => {
  const list = await listOfOwner(ctx.db, viewer.id, id)
  if (!list) throw notFound()
  return list
})

/** Creates a list. A repeated idempotency key returns the first response. */
export const create = handle(createList, async (ctx, viewer, input, request) => {
  const key = request.idempotencyKey && `list ${viewer.id} ${request.idempotencyKey}`
  const list = {
    id: ctx.ids.next(),
    title: listTitle(input.title ?? ''),
    replies_policy: repliesPolicy(input.replies_policy ?? 'list'),
    exclusive: input.exclusive,
  }
  return ctx.db.tx(async (tx) => {
    // Requests of one viewer run one after the other. Concurrent requests then cannot exceed the limit of lists, and a
    // repeated idempotency key creates no second list (F064).
    await lockName(tx, `lists ${viewer.id}`)
    const earlier = key ? await storedResult(tx, key) : null
    if (earlier !== null) return earlier as Json<List>
    if ((await countLists(tx, viewer.id)) >= limits.accounts.lists)
      throw invalidField('You have reached the maximum number of lists')
    await insertList(tx, viewer.id, list, ctx.clock.date())
    const result = toJson<List>(list)
    if (key) await storeResult(tx, key, result)
    return result
  })
})

/** Changes a list of the viewer. */
export const changeList = handle(updateListOperation, async (ctx, viewer, input) => {
  // For an unknown list, the response is 404 even if other parameters are invalid.
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

/** Deletes a list of the viewer. */
export const remove = handle(removeList, async (ctx, viewer, { id }) => {
  await ctx.db.tx(async (tx) => {
    if ((await deleteList(tx, viewer.id, id)) === 0) throw notFound()
    await ctx.announce(tx, listChanged, { id, owner: viewer.id })
  })
  return {}
})

/** Returns the lists of the viewer that contain an account. */
export const listsContainingAccount = handle(listsOfAccount, async (ctx, viewer, { id }) => {
  const account = await otherAccount(ctx, id)
  return account.suspended ? [] : listsContaining(ctx.db, viewer.id, id)
})

/** Returns the owners of lists, for permission checks of other services. */
export const getListOwners = handle(listOwners, async (ctx, _viewer, { ids }) => ({
  owners: Object.fromEntries(await ownersOfLists(ctx.db, ids)),
}))
