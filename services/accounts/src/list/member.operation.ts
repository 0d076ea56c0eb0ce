/** Handlers of the members of a list. */
import { addListMembers, listChanged, listMembersOfList, removeListMembers } from '@murmuration/contracts/accounts'
import { invalidField, notFound } from '@murmuration/contracts/kit'
import { accountPage, allAccounts, wholePage } from '../core/account/page.js'
import { accountsByIds } from '../core/account/store.js'
import { lockAccount } from '../core/lock.store.js'
import { handle } from '../handlers.js'
import { deleteMembers, insertMembers, listOfOwner, mayBeMembers, membersOf } from './store.js'

/** Returns the members of a list of the viewer. */
export const listListMembers = handle(listMembersOfList, async (ctx, viewer, { id, limit, ...cursor }) => {
  if (!(await listOfOwner(ctx.db, viewer.id, id))) throw notFound()
  const page = { ...cursor, limit: limit ?? wholePage }
  const rows = await membersOf(ctx.db, id, page)
  return limit === null ? allAccounts(ctx, rows) : accountPage(ctx, listMembersOfList.output, page, rows)
})

/** Adds followed accounts to a list of the viewer: all of them, or none. */
export const add = handle(addListMembers, async (ctx, viewer, { id, account_ids }) => {
  if (!(await listOfOwner(ctx.db, viewer.id, id))) throw notFound()
  const known = await accountsByIds(ctx.db, account_ids)
  if (known.filter((row) => row.usable).length < account_ids.length) throw notFound()
  await ctx.db.tx(async (tx) => {
    // The lock prevents that a follow ends after the check and before the account is added to the list.
    await lockAccount(tx, viewer.id)
    const allowed = await mayBeMembers(tx, viewer.id, account_ids)
    if (allowed.length < account_ids.length) throw invalidField('Account must be a followed account')
    const added = await insertMembers(tx, id, viewer.id, account_ids)
    if (added.length < account_ids.length) throw invalidField('Account is already on the list')
    if (added.length) await ctx.announce(tx, listChanged, { id, owner: viewer.id })
  })
  return {}
})

/** Removes accounts from a list of the viewer. */
export const remove = handle(removeListMembers, async (ctx, viewer, { id, account_ids }) => {
  if (!(await listOfOwner(ctx.db, viewer.id, id))) throw notFound()
  await ctx.db.tx(async (tx) => {
    if (await deleteMembers(tx, id, viewer.id, account_ids))
      await ctx.announce(tx, listChanged, { id, owner: viewer.id })
  })
  return {}
})
