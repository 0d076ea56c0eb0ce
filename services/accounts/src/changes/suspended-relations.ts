/** What people here have with accounts that staff suspends ends, and those who lose it are told, in the transaction of the caller. */
import { endWithSuspendedJob } from '@murmuration/contracts/accounts'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { accountById } from '../store/account.js'
import { type Pair, relationsOfAccounts } from '../store/follow.js'
import { acctOf } from '../views/account.js'
import { endFollows, endRequests } from './follow.js'
import { noteSevered } from './severance.js'

/** Most relations each way that one transaction ends. */
const MOST = 5_000
/** Far more than one account elsewhere has with people here. */
const MOST_OF_ONE = 50_000

type Ending = Pick<Context, 'announce' | 'queue' | 'hints' | 'ids' | 'clock'>

/** A suspended domain has no relations with anybody here (federation/moderation.md 1): ends a page of them, and queues the rest. */
export const endRelations = async (
  ctx: Ending,
  tx: Tx,
  ids: readonly string[],
  domain: string,
  stamp: string,
): Promise<void> => {
  const theirs = new Set(ids)
  const follows = await relationsOfAccounts(tx, 'follows', ids, MOST)
  await noteSevered(ctx, tx, { kind: 'domain_block', target: domain, cause: `${domain} ${stamp}` }, follows)
  // What they ended towards us and what we end towards them: each side hears the one that is its own.
  await endFollows(ctx, tx, follows, (pair) => theirs.has(pair.from))
  const requests = await relationsOfAccounts(tx, 'follow_requests', ids, MOST)
  await endRequests(ctx, tx, requests, (pair) => (theirs.has(pair.from) ? 'rejected' : 'withdrawn'))
  if (Math.max(follows.length, requests.length) >= MOST)
    await ctx.queue(tx, endWithSuspendedJob, { accounts: [...ids], domain, stamp })
}

/** A suspended account elsewhere follows nobody here any more: its server would go on getting what they write. */
export const endFollowsHere = async (ctx: Ending, tx: Tx, id: string): Promise<void> => {
  const account = await accountById(tx, id)
  if (!account || account.domain === null) return
  const theirs = (pairs: readonly Pair[]) => pairs.filter((pair) => pair.from === id)
  const follows = theirs(await relationsOfAccounts(tx, 'follows', [id], MOST_OF_ONE))
  const decision = {
    kind: 'account_suspension' as const,
    target: acctOf(account),
    cause: `suspension ${ctx.ids.next()}`,
  }
  await noteSevered(ctx, tx, decision, follows)
  await endFollows(ctx, tx, follows, () => true)
  await endRequests(
    ctx,
    tx,
    theirs(await relationsOfAccounts(tx, 'follow_requests', [id], MOST_OF_ONE)),
    () => 'rejected',
  )
}
