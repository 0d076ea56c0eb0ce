/** Deletes local accounts: by their user, after a rejected sign-up or a long suspension, or because they were never confirmed. */
import {
  accountInvalidation,
  accountRemoved,
  followRemoved,
  followRequestRemoved,
} from '@murmuration/contracts/accounts'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { relationsOfAccounts } from '../core/follow/domain.store.js'
import { deleteListsAndEndorsements, deleteRelations, type FollowTable } from '../core/follow/store.js'
import { lockAccounts } from '../core/lock.store.js'
import { countFollows } from '../counter/index.js'
import { type Addressee, writeToAll } from '../mail/index.js'
import { endAccessOf } from '../oauth/index.js'
import { eraseRemoved, eraseUnused, markRemoved } from './store.js'

type Ending = Pick<Context, 'announce' | 'clock' | 'invalidations' | 'ids' | 'log' | 'nc' | 'tokens'>

/** Deletes accounts. The accounts are hidden and announced in this transaction; a tick erases their rows later. */
export const remove = async (
  ctx: Ending,
  tx: Tx,
  users: readonly (Addressee & { account_id: string; uri: string })[],
): Promise<void> => {
  const ids = users.map((one) => one.account_id)
  await writeToAll(ctx, tx, users, 'account-removed')
  await endAccessOf(ctx, tx, users)
  await markRemoved(tx, ids, ctx.clock.date())
  await ctx.announce(tx, accountRemoved, ...users.map((one) => ({ id: one.account_id, local: true, uri: one.uri })))
  tx.onCommit(() => ctx.invalidations.send(accountInvalidation, ids))
}

/** Erases accounts that were never usable, so that their names are free again. Returns the ids of the erased accounts. */
export const removeUnused = async (
  ctx: Ending,
  tx: Tx,
  users: readonly { user_id: string; account_id: string }[],
): Promise<string[]> => {
  await endAccessOf(ctx, tx, users)
  const gone = await eraseUnused(
    tx,
    users.map((one) => one.account_id),
  )
  await ctx.announce(tx, accountRemoved, ...gone.map(({ id, uri }) => ({ id, local: true, uri })))
  const ids = gone.map((one) => one.id)
  tx.onCommit(() => ctx.invalidations.send(accountInvalidation, ids))
  return ids
}

/**
 * Ends a page of relationships of deleted accounts. Returns the number of ended relationships. Events are announced
 * only for pairs of local accounts, because other servers get a Delete of the actor.
 */
const endPage = async (
  ctx: Ending,
  tx: Tx,
  which: FollowTable,
  ids: ReadonlySet<string>,
  max: number,
): Promise<number> => {
  const gone = await deleteRelations(tx, which, await relationsOfAccounts(tx, which, [...ids], max))
  const here = gone.filter((one) => one.fromLocal && one.toLocal)
  if (which === 'follows') {
    await countFollows(ctx, tx, gone, -1)
    await ctx.announce(tx, followRemoved, ...here.map((one) => ({ ...one, byTarget: ids.has(one.to) })))
  } else
    await ctx.announce(
      tx,
      followRequestRemoved,
      ...here.map((one) => ({ ...one, why: ids.has(one.to) ? ('rejected' as const) : ('withdrawn' as const) })),
    )
  await deleteListsAndEndorsements(tx, gone)
  return gone.length
}

/**
 * Ends a page of relationships of deleted accounts, at most `max` of each kind in each direction. Returns the number of
 * ended relationships. If fewer than `max` were left, the accounts are erased.
 */
export const eraseRelationships = async (
  ctx: Ending,
  tx: Tx,
  accounts: readonly string[],
  max: number,
): Promise<number> => {
  const ids = new Set(accounts)
  await lockAccounts(tx, accounts)
  const ended = (await endPage(ctx, tx, 'follows', ids, max)) + (await endPage(ctx, tx, 'follow_requests', ids, max))
  if (ended < max) await eraseRemoved(tx, accounts)
  return ended
}
