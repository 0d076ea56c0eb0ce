/** How the accounts of a domain stand, a page at a time: the first page with the request, the rest as work that may be overtaken. */
import { moderateDomainJob } from '@murmuration/contracts/accounts'
import type { JobData } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { type DomainMeasure, dropOrder, holds, putOrder } from '../store/domain-measure.js'
import { moderate } from './moderation.js'

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
  else if (action === 'unsuspend' || action === 'unsilence') await dropOrder(tx, measureOf(wanted))
  return ids.length
}

/** Does the first page; whatever was still under way for the same block stops. Gives how many accounts changed. */
export const beginDomain = async (ctx: Context, tx: Tx, wanted: DomainModeration): Promise<number> => {
  const order = ctx.ids.next()
  await putOrder(tx, measureOf(wanted), order)
  return page(ctx, tx, { ...wanted, order })
}

/** Does the next page, unless staff wants something else by now: a block that was lifted suspends nobody any more. */
export const continueDomain = async (ctx: Context, tx: Tx, wanted: Ordered): Promise<void> => {
  if (wanted.order !== undefined && !(await holds(tx, measureOf(wanted), wanted.order))) return
  await page(ctx, tx, wanted)
}
