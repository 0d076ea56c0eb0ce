/** Ends all follows and requests between an account and a domain, in bounded transactions. */
import { endWithDomainJob } from '@murmuration/contracts/accounts'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { relationsWithDomain } from '../core/follow/domain.store.js'
import { endFollows, endRequests } from '../follow/index.js'
import { recordSevered } from '../severance/index.js'

/**
 * Maximum number of follows, and of requests, that one transaction ends in each direction. The maximum bounds how long
 * the locks are held.
 */
const MAX_PER_DIRECTION = 2_000

/**
 * Ends at most `MAX_PER_DIRECTION` follows and requests in each direction between an account and a domain. Queues a job
 * that ends the remaining ones.
 */
export const endDomainRelations = async (
  ctx: Pick<Context, 'announce' | 'queue' | 'invalidations' | 'ids' | 'clock'>,
  tx: Tx,
  account: string,
  domain: string,
  /** Cause of the severance: `domain block` and the id of the block. */
  cause: string,
): Promise<void> => {
  const byTarget = (pair: { to: string }) => pair.to === account
  const follows = await relationsWithDomain(tx, 'follows', account, domain, MAX_PER_DIRECTION)
  await recordSevered(ctx, tx, { kind: 'user_domain_block', target: domain, cause }, follows)
  await endFollows(ctx, tx, follows, byTarget)
  const requests = await relationsWithDomain(tx, 'follow_requests', account, domain, MAX_PER_DIRECTION)
  await endRequests(ctx, tx, requests, (pair) => (byTarget(pair) ? 'rejected' : 'withdrawn'))
  if (Math.max(follows.length, requests.length) >= MAX_PER_DIRECTION)
    await ctx.queue(tx, endWithDomainJob, { account, domain, cause })
}
