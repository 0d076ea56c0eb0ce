/** Handlers of featured accounts on a profile. */
import {
  createEndorsement,
  listEndorsements,
  listEndorsementsOf,
  removeEndorsement,
} from '@murmuration/contracts/accounts'
import { invalidField } from '@murmuration/contracts/kit'
import { accountPage, allAccounts, wholePage } from '../core/account/page.js'
import { activeAccount, otherAccount } from '../core/account/visible-account.js'
import { lockPair } from '../core/lock.store.js'
import { relationshipTo } from '../core/relationship/relationship.js'
import { handle } from '../handlers.js'
import { deleteEndorsement, endorsedBy, putEndorsement } from './store.js'

/** Returns the accounts that the viewer features: one page, or up to `wholePage` accounts if `limit` is null. */
export const list = handle(listEndorsements, async (ctx, viewer, { limit, ...cursor }) => {
  const page = { ...cursor, limit: limit ?? wholePage }
  const rows = await endorsedBy(ctx.db, viewer.id, page)
  return limit === null ? allAccounts(ctx, rows) : accountPage(ctx, listEndorsements.output, page, rows)
})

/** Returns the accounts that another account features. Empty if that account is suspended. */
export const listOf = handle(listEndorsementsOf, async (ctx, _viewer, { id, ...page }) => {
  const account = await otherAccount(ctx, id)
  const rows = account.suspended ? [] : await endorsedBy(ctx.db, id, page)
  return accountPage(ctx, listEndorsementsOf.output, page, rows)
})

/** Features a followed account on the viewer's profile. */
export const create = handle(createEndorsement, async (ctx, viewer, { id }) => {
  await activeAccount(ctx, id)
  await ctx.db.tx(async (tx) => {
    await lockPair(tx, viewer.id, id)
    if (!(await putEndorsement(tx, { from: viewer.id, to: id }, ctx.clock.date())))
      throw invalidField('You must be already following the person you want to endorse')
  })
  return relationshipTo(ctx, viewer.id, id)
})

/** Removes an account from those that the viewer's profile features. */
export const remove = handle(removeEndorsement, async (ctx, viewer, { id }) => {
  await otherAccount(ctx, id)
  await ctx.db.tx((tx) => deleteEndorsement(tx, { from: viewer.id, to: id }))
  return relationshipTo(ctx, viewer.id, id)
})
