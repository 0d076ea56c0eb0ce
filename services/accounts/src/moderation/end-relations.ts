/**
 * Ends relationships of local accounts with suspended ones, and announces their end, in the transaction of the caller.
 */
import { endFollowsHereJob, endWithSuspendedJob } from '@murmuration/contracts/accounts'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { accountsByIds } from '../core/account/store.js'
import { relationsFrom, relationsOfAccounts } from '../core/follow/domain.store.js'
import { endFollows, endRequests } from '../follow/index.js'
import { causeOf, recordSevered, unmarkRestored } from '../severance/index.js'

/** Maximum number of relationships in each direction that one transaction ends. */
const MAX_PER_DIRECTION = 5_000

type Ending = Pick<Context, 'announce' | 'queue' | 'invalidations' | 'ids' | 'clock'>

/**
 * Ends one page of follows and follow requests between local accounts and the accounts `ids` of a suspended domain.
 * Returns true if more follows or requests may remain.
 */
export const endRelations = async (
  ctx: Ending,
  tx: Tx,
  ids: readonly string[],
  domain: string,
  stamp: string,
): Promise<boolean> => {
  if (ids.length === 0) return false
  const theirs = new Set(ids)
  const cause = causeOf({ domain, stamp })
  const follows = await relationsOfAccounts(tx, 'follows', ids, MAX_PER_DIRECTION)
  await recordSevered(ctx, tx, { kind: 'domain_block', target: domain, cause }, follows)
  // `byTarget` is true for follows by the suspended accounts, so that each side gets its own activity.
  await endFollows(ctx, tx, follows, (pair) => theirs.has(pair.from))
  const requests = await relationsOfAccounts(tx, 'follow_requests', ids, MAX_PER_DIRECTION)
  const ours = requests.filter((pair) => !theirs.has(pair.from))
  await unmarkRestored(tx, cause, ours)
  await endRequests(ctx, tx, requests, (pair) => (theirs.has(pair.from) ? 'rejected' : 'withdrawn'))
  return Math.max(follows.length, requests.length) >= MAX_PER_DIRECTION
}

/** Ends the first page of relationships with accounts that the domain block suspends, and queues a job for the remaining ones. */
export const endRelationsOfBlocked = async (
  ctx: Ending,
  tx: Tx,
  ids: readonly string[],
  domain: string,
  stamp: string,
): Promise<void> => {
  if (await endRelations(ctx, tx, ids, domain, stamp))
    await ctx.queue(tx, endWithSuspendedJob, { accounts: [...ids], domain, stamp })
}

/** A decision of staff to suspend single accounts. */
export interface Suspension {
  stamp: string
  /** Id of the decision of staff. All pages of follows that it ends belong to one severance. */
  decision: string
}

/**
 * Ends a page of the follows by suspended remote accounts, because their servers would continue to receive statuses.
 * Queues a job for the remaining follows.
 */
export const endFollowsHere = async (
  ctx: Ending,
  tx: Tx,
  ids: readonly string[],
  { stamp, decision }: Suspension,
): Promise<void> => {
  const remote = (await accountsByIds(tx, ids)).flatMap(({ id, domain }) => (domain === null ? [] : [id]))
  if (remote.length === 0) return
  const follows = await relationsFrom(tx, 'follows', remote, MAX_PER_DIRECTION)
  await recordSevered(
    ctx,
    tx,
    ({ address }) => ({ kind: 'account_suspension', target: address, cause: `suspension ${decision} ${address}` }),
    follows,
  )
  await endFollows(ctx, tx, follows, () => true)
  const requests = await relationsFrom(tx, 'follow_requests', remote, MAX_PER_DIRECTION)
  await endRequests(ctx, tx, requests, () => 'rejected')
  if (Math.max(follows.length, requests.length) >= MAX_PER_DIRECTION)
    await ctx.queue(tx, endFollowsHereJob, { accounts: remote, stamp, decision })
}
