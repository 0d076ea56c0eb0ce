/** How the accounts of a domain stand, a page at a time: the first page with the request, the rest as work that may be overtaken. */
import { moderateDomainJob, restoreFollowsJob } from '@murmuration/contracts/accounts'
import type { JobData } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { type DomainMeasure, dropOrder, holds, putOrder } from './domain.store.js'
import { endRelations } from './end-relations.js'
import { moderate } from './moderate.js'
import { firstPlace, type Place, suspendedOtherwise } from './store.js'

export interface DomainModeration {
  domain: string
  /** Nothing below the domain. */
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

/** Accounts of one page whose relations end, although something else suspended them. */
const MOST_OTHERS = 100

/** Relations with accounts that staff or their own servers suspended before end too. */
const endOthers = async (ctx: Context, tx: Tx, wanted: Ordered, after: Place): Promise<void> => {
  const { domain, exact, stamp } = wanted
  const { ids, next } = await suspendedOtherwise(tx, { domain, exact }, { stamp, limit: MOST_OTHERS, after })
  const isFull = await endRelations(ctx, tx, ids, domain, stamp)
  const others = isFull ? after : next
  if (others !== null) await ctx.queue(tx, moderateDomainJob, { ...wanted, others })
}

/** At the end of the walk it is made once more, for accounts that came meanwhile; it ends when one walk is one page. */
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
 * Does the first page; whatever was still under way for the same block stops. Gives how many accounts changed. With `restores`
 * the end of the walk, or of one that overtakes it, asks again for the follows that the block ended.
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
  return page(ctx, tx, { ...wanted, order })
}

/** Does the next page, unless staff wants something else by now: a block that was lifted suspends nobody any more. */
export const continueDomain = async (ctx: Context, tx: Tx, wanted: Ordered): Promise<void> => {
  if (wanted.order !== undefined && !(await holds(tx, measureOf(wanted), wanted.order))) return
  if (wanted.others !== undefined) return endOthers(ctx, tx, wanted, wanted.others)
  await page(ctx, tx, wanted)
}
