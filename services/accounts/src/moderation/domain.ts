/** How the accounts of a domain stand, a page at a time: the first page with the request, the rest as work that may be overtaken. */
import { moderateDomainJob, restoreFollowsJob } from '@murmuration/contracts/accounts'
import type { JobData } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { type DomainMeasure, dropOrder, holds, putOrder } from './domain.store.js'
import { moderate } from './moderate.js'

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

type Ordered = DomainModeration & Pick<JobData<typeof moderateDomainJob>, 'order' | 'after'>

/** At the end of the walk it is made once more, for accounts that came meanwhile; it ends when one walk is one page. */
const page = async (ctx: Context, tx: Tx, { after, ...wanted }: Ordered): Promise<number> => {
  const { domain, exact, action, stamp } = wanted
  const { ids, next } = await moderate(ctx, tx, { domain, exact }, action, stamp, after ?? null)
  if (next !== null) await ctx.queue(tx, moderateDomainJob, { ...wanted, after: next })
  else if (after !== undefined) await ctx.queue(tx, moderateDomainJob, wanted)
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
  await page(ctx, tx, wanted)
}
