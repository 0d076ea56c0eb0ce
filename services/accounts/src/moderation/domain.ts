/**
 * Moderates the accounts of a domain in pages: the first page within the request, further pages in jobs. A later
 * decision about the same domain block (order) stops the jobs.
 */
import { deleteDecisionsJob, moderateDomainJob, restoreFollowsJob } from '@murmuration/contracts/accounts'
import type { JobData } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import {
  DELETE_PAGE,
  type DomainAction,
  type DomainMeasure,
  deleteDecisionsOfOrder,
  dropOrder,
  dropOrdersBelow,
  endExemptions,
  lockLatestOrder,
  OTHERS_PAGE,
  otherOrders,
  putOrder,
} from './domain.store.js'
import { endRelations } from './end-relations.js'
import { moderate } from './moderate.js'
import { firstPosition, type Position, suspendedOtherwise } from './store.js'

export interface DomainModeration {
  domain: string
  /** True if subdomains are excluded. */
  exact?: boolean | undefined
  action: DomainAction
  stamp: string
}

const measureOf = ({ domain, action, stamp }: DomainModeration): DomainMeasure => ({
  domain,
  measure: action === 'suspend' || action === 'unsuspend' ? 'suspended' : 'silenced',
  stamp,
})

type Ordered = DomainModeration & Pick<JobData<typeof moderateDomainJob>, 'order' | 'after' | 'others'>
type DeletionData = JobData<typeof deleteDecisionsJob>
type OrderedEnd = Ordered & { action: 'unsuspend' | 'unsilence' }

const ends = (wanted: Ordered): wanted is OrderedEnd => wanted.action === 'unsuspend' || wanted.action === 'unsilence'

/** Maximum number of accounts per page that another decision had suspended before the block, and whose relationships the block ends. */
const MAX_OTHERS = 100

/**
 * Ends one page of relationships with accounts of the domain that were suspended for another reason than the block.
 * Queues a job for the next page.
 */
const endOthers = async (ctx: Context, tx: Tx, wanted: Ordered, after: Position): Promise<void> => {
  const { domain, exact, stamp } = wanted
  const { ids, next } = await suspendedOtherwise(tx, { domain, exact }, { stamp, limit: MAX_OTHERS, after })
  const isFull = await endRelations(ctx, tx, ids, domain, stamp)
  const others = isFull ? after : next
  if (others !== null) await ctx.queue(tx, moderateDomainJob, { ...wanted, others })
}

/** Deletes the completed order. If the order restores follows, queues the job that requests the ended follows again. */
const complete = async (ctx: Context, tx: Tx, wanted: OrderedEnd): Promise<void> => {
  const { restores } = await dropOrder(tx, measureOf(wanted))
  const { domain, action, stamp } = wanted
  if (restores && action === 'unsuspend') await ctx.queue(tx, restoreFollowsJob, { domain, stamp })
}

/**
 * Applies a page of other blocks of the domain and of its subdomains again, because their jobs skipped the accounts that the removed
 * block still suspended. Completes the removal after the last page.
 */
const applyOthers = async (ctx: Context, tx: Tx, wanted: OrderedEnd, after: DeletionData['applied']): Promise<void> => {
  const found = await otherOrders(tx, measureOf(wanted), after)
  await ctx.queue(tx, moderateDomainJob, ...found.map(({ turned: _, ...other }) => other))
  const last = found.at(-1)
  if (last === undefined || found.length < OTHERS_PAGE) return complete(ctx, tx, wanted)
  await ctx.queue(tx, deleteDecisionsJob, { ...wanted, applied: { turned: last.turned, stamp: last.stamp } })
}

/** Deletes the last decisions about accounts that were removed while jobs read the pages, then applies other blocks again. */
const deleteLast = async (ctx: Context, tx: Tx, { after: _, others: __, ...wanted }: OrderedEnd): Promise<void> => {
  if ((await deleteDecisionsOfOrder(tx, measureOf(wanted))) === DELETE_PAGE)
    await ctx.queue(tx, deleteDecisionsJob, { ...wanted, last: true })
  else await applyOthers(ctx, tx, wanted, undefined)
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
  else if (action === 'suspend') await endOthers(ctx, tx, wanted, firstPosition(domain))
  else if (ends(wanted)) await deleteLast(ctx, tx, wanted)
  return ids.length
}

/**
 * Begins the removal of a block with one page of decisions about removed accounts, and one page of accounts. Jobs process the other pages.
 *
 * If there is anything to do, jobs walk through all accounts once more. From the commit of this transaction on, no account is stored
 * with a decision of the block, so that this walk finds all of them.
 *
 * | Found in this transaction | Next |
 * |---|---|
 * | a full page of decisions | job `deleteDecisionsJob`, then the walk |
 * | a full page of accounts | next page of accounts |
 * | anything else | the walk |
 * | nothing | the order is complete |
 */
const beginEnd = async (ctx: Context, tx: Tx, wanted: OrderedEnd): Promise<number> => {
  const { domain, exact, action, stamp } = wanted
  if (!exact) await dropOrdersBelow(tx, measureOf(wanted))
  const before = await deleteDecisionsOfOrder(tx, measureOf(wanted))
  const { ids, next, found } = await moderate(ctx, tx, { domain, exact }, action, stamp)
  if (before === DELETE_PAGE) await ctx.queue(tx, deleteDecisionsJob, wanted)
  else if (next !== null) await ctx.queue(tx, moderateDomainJob, { ...wanted, after: next })
  else if (before + found + (await deleteDecisionsOfOrder(tx, measureOf(wanted))) > 0)
    await ctx.queue(tx, moderateDomainJob, wanted)
  else await complete(ctx, tx, wanted)
  return ids.length
}

/**
 * Moderates the first page of accounts, and stops an earlier run for the same block. Returns the number of changed
 * accounts. With `restores`, a job after the last page requests again the follows that the block ended. A later order
 * that lifts the same block keeps `restores`.
 */
export const beginDomain = async (
  ctx: Context,
  tx: Tx,
  wanted: DomainModeration,
  restores = false,
): Promise<number> => {
  const ordered: Ordered = { ...wanted, order: ctx.ids.next() }
  const { order = '', action, exact = false } = ordered
  const isEnd = ends(ordered)
  await putOrder(tx, measureOf(wanted), { order, action, exact, restores: restores && isEnd, keeps: isEnd })
  if (isEnd) return beginEnd(ctx, tx, ordered)
  if (action === 'silence') await endExemptions(tx, wanted, wanted.stamp)
  return page(ctx, tx, ordered)
}

const isReplaced = async (tx: Tx, wanted: Ordered): Promise<boolean> =>
  wanted.order !== undefined && !(await lockLatestOrder(tx, measureOf(wanted), wanted.order))

/** Moderates the next page, unless a later order exists. This check ensures that a removed block no longer suspends accounts. */
export const continueDomain = async (ctx: Context, tx: Tx, wanted: Ordered): Promise<void> => {
  if (await isReplaced(tx, wanted)) return
  if (wanted.others !== undefined) return endOthers(ctx, tx, wanted, wanted.others)
  await page(ctx, tx, wanted)
}

/** Continues the removal of a block with the next page of decisions or of other blocks, unless a later order exists. */
export const continueDeletion = async (
  ctx: Context,
  tx: Tx,
  { last = false, applied, ...wanted }: DeletionData,
): Promise<void> => {
  if (await isReplaced(tx, wanted)) return
  if (applied !== undefined) return applyOthers(ctx, tx, wanted, applied)
  if (last) return deleteLast(ctx, tx, wanted)
  const isFull = (await deleteDecisionsOfOrder(tx, measureOf(wanted))) === DELETE_PAGE
  if (isFull) await ctx.queue(tx, deleteDecisionsJob, wanted)
  else await ctx.queue(tx, moderateDomainJob, wanted)
}
