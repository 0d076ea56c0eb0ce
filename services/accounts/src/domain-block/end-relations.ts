/** All relations of one person with people of one domain end, a page in each transaction. */
import { endWithDomainJob } from '@murmuration/contracts/accounts'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { relationsWithDomain } from '../core/follow-domain.store.js'
import { endFollows, endRequests } from '../follow/index.js'
import { recordSevered } from '../severance/index.js'

/** Most relations in one transaction each way; with more one person would stop everybody else. */
const MOST = 2_000

/** Ends as many as one transaction may, and queues the rest. */
export const endDomainRelations = async (
  ctx: Pick<Context, 'announce' | 'queue' | 'hints' | 'ids' | 'clock'>,
  tx: Tx,
  account: string,
  domain: string,
  /** Names the block. */
  cause: string,
): Promise<void> => {
  const byTarget = (pair: { to: string }) => pair.to === account
  const follows = await relationsWithDomain(tx, 'follows', account, domain, MOST)
  await recordSevered(ctx, tx, { kind: 'user_domain_block', target: domain, cause }, follows)
  await endFollows(ctx, tx, follows, byTarget)
  const requests = await relationsWithDomain(tx, 'follow_requests', account, domain, MOST)
  await endRequests(ctx, tx, requests, (pair) => (byTarget(pair) ? 'rejected' : 'withdrawn'))
  if (Math.max(follows.length, requests.length) >= MOST)
    await ctx.queue(tx, endWithDomainJob, { account, domain, cause })
}
