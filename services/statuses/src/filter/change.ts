/**
 * Runs every change of an account's filters: one after the other, within limits, with one notification per change
 * (S-181).
 */
import { filterInvalidation } from '@murmuration/contracts/statuses'
import { type Reader, storedResult, storeResult, type Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { publishToAccounts } from '../core/live/publish.js'
import { checkFilterBounds } from './rules.js'
import { filterTotals, reviseFilters } from './store.js'

interface Change<T> {
  account: string
  /** Idempotency key of a request that creates something. */
  key?: string | null
  /** Makes the change and returns the response. If `work` throws, nothing is changed. */
  work(tx: Tx): Promise<T>
}

const nameOf = (account: string, key: string): string => `filter ${account} ${key}`

/** Response to a change with this idempotency key; null if it was not made. Responses are stored for a day. */
export const earlierResult = async <T>(db: Reader, account: string, key: string): Promise<T | null> => {
  const stored = await storedResult(db, nameOf(account, key))
  return stored === null ? null : (JSON.parse(stored) as T)
}

/**
 * Runs a change and returns its response. If the idempotency key was used before, returns the first response and
 * changes nothing.
 */
export const changeFilters = async <T>(ctx: Context, { account, key, work }: Change<T>): Promise<T> => {
  const name = key ? nameOf(account, key) : null
  const { answer: result, changed } = await ctx.db.tx(async (tx) => {
    await reviseFilters(tx, account, ctx.ids.next())
    const earlier = name === null ? null : await storedResult(tx, name)
    if (earlier !== null) return { answer: JSON.parse(earlier) as T, changed: false }
    const done = await work(tx)
    checkFilterBounds(await filterTotals(tx, account))
    if (name !== null) await storeResult(tx, name, JSON.stringify(done))
    return { answer: done, changed: true }
  })
  if (changed) {
    ctx.filterSets.invalidate([account])
    ctx.invalidations.send(filterInvalidation, [account])
    await publishToAccounts(ctx, [account], { e: 'filters_changed' })
  }
  return result
}
