/** Moderates the accounts of a domain in pages: the first one within the request, the rest as jobs that a later order stops. */
import { moderateDomainJob, restoreFollowsJob } from '@murmuration/contracts/accounts'
import type { JobData } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import {
  type DomainMeasure,
  dropOrder,
  endExemptions,
  forgetLimits,
  forgetSuspensions,
  holds,
  putOrder,
} from './domain.store.js'
import { endRelations } from './end-relations.js'
import { moderate } from './moderate.js'
import { firstPlace, type Place, suspendedOtherwise } from './store.js'

export interface DomainModeration {
  domain: string
  /** Without subdomains. */
  exact?: boolean | undefined
  action: 'suspend' | 'unsuspend' | 'silence' | 'unsilence'
  stamp: string
}

const measureOf = ({ domain, action, stamp }: DomainModeration): DomainMeasure => ({
  domain,
  measure: action === 'suspend' || action === 'unsuspend' ? 'suspended' : 'silenced',
  stamp,
})

type Ordered = DomainModeration & Pick<JobData<typeof moderateDomainJob>, 'order' | 'after' | 'others'>

/** Accounts per page whose relationships end, although they were suspended for another reason. */
const MOST_OTHERS = 100

/** Ends one page of relationships with accounts of the domain that were suspended for another reason. Queues a job for the next page. */
const endOthers = async (ctx: Context, tx: Tx, wanted: Ordered, after: Place): Promise<void> => {
  const { domain, exact, stamp } = wanted
  const { ids, next } = await suspendedOtherwise(tx, { domain, exact }, { stamp, limit: MOST_OTHERS, after })
  const isFull = await endRelations(ctx, tx, ids, domain, stamp)
  const others = isFull ? after : next
  if (others !== null) await ctx.queue(tx, moderateDomainJob, { ...wanted, others })
}

/**
 * Moderates one page of accounts and queues a job for the next page. A walk of several pages then starts again at the
 * first page, for accounts that were added meanwhile.
 */
const page = async (ctx: Context, tx: Tx, { after, ...wanted }: Ordered): Promise<number> => {
  const { domain, exact, action, stamp } = wanted
  const { ids, next } = await moderate(ctx, tx, { domain, exact }, action, stamp, after ?? null)
  if (next !== null) await ctx.queue(tx, moderateDomainJob, { ...wanted, after: next })
  else if (after !== undefined) await ctx.queue(tx, moderateDomainJob, wanted)
  else if (action === 'suspend') await endOthers(ctx, tx, wanted, firstPlace(domain))
  else if (action === 'unsuspend' || action === 'unsilence') {
    const { restores } = await dropOrder(tx, measureOf(wanted))
    if (restores && action === 'unsuspend') await ctx.queue(tx, restoreFollowsJob, { domain, stamp })
  }
  return ids.length
}

/**
 * Moderates the first page of accounts, and stops an earlier run for the same block. Returns the number of changed
 * accounts. With `restores`, a job requests the follows that the block ended again after the last page. A later order
 * that lifts a block keeps this request.
 */
export const beginDomain = async (
  ctx: Context,
  tx: Tx,
  wanted: DomainModeration,
  restores = false,
): Promise<number> => {
  const order = ctx.ids.next()
  const lifts = wanted.action === 'unsuspend' || wanted.action === 'unsilence'
  await putOrder(tx, measureOf(wanted), { order, restores: restores && lifts, keeps: lifts })
  if (wanted.action === 'unsuspend') await forgetSuspensions(tx, wanted.stamp)
  if (wanted.action === 'unsilence') await forgetLimits(tx, wanted.stamp)
  if (wanted.action === 'silence') await endExemptions(tx, wanted, wanted.stamp)
  return page(ctx, tx, { ...wanted, order })
}

/** Moderates the next page, unless a later order exists. This check ensures that a removed block no longer suspends accounts. */
export const continueDomain = async (ctx: Context, tx: Tx, wanted: Ordered): Promise<void> => {
  if (wanted.order !== undefined && !(await holds(tx, measureOf(wanted), wanted.order))) return
  if (wanted.others !== undefined) return endOthers(ctx, tx, wanted, wanted.others)
  await page(ctx, tx, wanted)
}
