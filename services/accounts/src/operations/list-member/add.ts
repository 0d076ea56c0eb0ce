/** Puts followed accounts into a list of the viewer: all of them or none. */
import { listChanged, listMemberAdd } from '@murmuration/contracts/accounts'
import { invalidField, notFound } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { accountsByIds } from '../../store/account.js'
import { insertMembers, listOfOwner, mayBeMembers } from '../../store/list.js'
import { lockAccount } from '../../store/lock.js'

export const addListMembers = handle(listMemberAdd, async (ctx, viewer, { id, account_ids }) => {
  if (!(await listOfOwner(ctx.db, viewer.id, id))) throw notFound()
  const known = await accountsByIds(ctx.db, account_ids)
  if (known.filter((row) => row.usable).length < account_ids.length) throw notFound()
  await ctx.db.tx(async (tx) => {
    // Nobody stops being followed between the check and the row.
    await lockAccount(tx, viewer.id)
    const allowed = await mayBeMembers(tx, viewer.id, account_ids)
    if (allowed.length < account_ids.length) throw invalidField('Account must be a followed account')
    const added = await insertMembers(tx, id, viewer.id, account_ids)
    if (added.length < account_ids.length) throw invalidField('Account is already on the list')
    if (added.length) await ctx.announce(tx, listChanged, { id, owner: viewer.id })
  })
  return {}
})
