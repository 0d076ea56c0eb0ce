/** An account ends for good: by its person, because staff said no, or because nobody ever confirmed it. */
import { accountHint, accountRemoved, followRemoved, followRequestRemoved } from '@murmuration/contracts/accounts'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { deleteRelations, type FollowTable, forgetFollowed, relationsOfAccounts } from '../store/follow.js'
import { eraseRemoved, eraseUnused, markRemoved } from '../store/removal.js'
import { endAccess } from './access.js'
import { countAndForget, movesOfFollows } from './counters.js'
import { type Addressee, writeLetter } from './letter.js'

type Ending = Pick<Context, 'announce' | 'clock' | 'hints' | 'ids' | 'nc' | 'tokens'>

/** A person leaves: nobody finds them from now on, and everybody hears of it; the rows follow. */
export const remove = async (
  ctx: Ending,
  tx: Tx,
  person: Addressee & { account_id: string },
  uri: string,
): Promise<void> => {
  const id = person.account_id
  await writeLetter(ctx, tx, person, 'account-removed')
  await endAccess(ctx, tx, person)
  await markRemoved(tx, id, ctx.clock.date())
  await ctx.announce(tx, accountRemoved, { id, local: true, uri })
  tx.onCommit(() => ctx.hints.send(accountHint, [id]))
}

/** Accounts that were never used are gone with their names; false for those that are in use. */
export const removeUnused = async (
  ctx: Ending,
  tx: Tx,
  people: readonly { user_id: string; account_id: string }[],
): Promise<string[]> => {
  // A handful at a time, in one transaction, which can only end them one after the other.
  for (const one of people) await endAccess(ctx, tx, one)
  const gone = await eraseUnused(
    tx,
    people.map((one) => one.account_id),
  )
  await ctx.announce(tx, accountRemoved, ...gone.map(({ id, uri }) => ({ id, local: true, uri })))
  const ids = gone.map((one) => one.id)
  tx.onCommit(() => ctx.hints.send(accountHint, ids))
  return ids
}

/** Relations that one transaction ends. */
const PAGE = 500

/**
 * Ends a page of relations of somebody who left. Other servers hear of the account as a whole, so that only people here
 * are told of each.
 */
const endPage = async (ctx: Ending, tx: Tx, which: FollowTable, id: string): Promise<number> => {
  const gone = await deleteRelations(tx, which, await relationsOfAccounts(tx, which, [id], PAGE))
  const here = gone.filter((one) => one.fromLocal && one.toLocal)
  if (which === 'follows') {
    await countAndForget(ctx, tx, movesOfFollows(gone, -1))
    await ctx.announce(tx, followRemoved, ...here.map((one) => ({ ...one, byTarget: one.to === id })))
  } else
    await ctx.announce(
      tx,
      followRequestRemoved,
      ...here.map((one) => ({ ...one, why: one.to === id ? ('rejected' as const) : ('withdrawn' as const) })),
    )
  await forgetFollowed(tx, gone)
  return gone.length
}

/** Erases a part of what hung on an account that left; true when nothing is left. */
export const eraseSome = async (ctx: Ending, tx: Tx, id: string): Promise<boolean> => {
  const ended = (await endPage(ctx, tx, 'follows', id)) + (await endPage(ctx, tx, 'follow_requests', id))
  if (ended > 0) return false
  await eraseRemoved(tx, id)
  return true
}
