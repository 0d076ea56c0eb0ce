/** Every change of somebody’s filters: one after the other, within bounds, and told once however much it changed (S-181). */
import { filterHint } from '@murmuration/contracts/statuses'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { publishToAccounts } from '../core/live/publish.js'
import { checkFilterBounds } from './rules.js'
import { answerOf, filterTotals, rememberAnswer, reviseFilters } from './store.js'

interface Change<T> {
  account: string
  /** Idempotency key of the request, for what creates something. */
  key?: string | null
  /** Gives the answer; throws to leave everything as it was. */
  work(tx: Tx): Promise<T>
}

/** Changes and gives the answer; a key that was used before gives the answer of then and changes nothing. */
export const changeFilters = async <T>(ctx: Context, { account, key, work }: Change<T>): Promise<T> => {
  const name = key ? `filter ${account} ${key}` : null
  const { answer, changed } = await ctx.db.tx(async (tx) => {
    await reviseFilters(tx, account, ctx.ids.next())
    const earlier = name === null ? null : await answerOf(tx, name)
    if (earlier !== null) return { answer: JSON.parse(earlier) as T, changed: false }
    const done = await work(tx)
    checkFilterBounds(await filterTotals(tx, account))
    if (name !== null) await rememberAnswer(tx, name, JSON.stringify(done))
    return { answer: done, changed: true }
  })
  if (changed) {
    ctx.filterSets.forget([account])
    ctx.hints.send(filterHint, [account])
    await publishToAccounts(ctx, [account], { e: 'filters_changed' })
  }
  return answer
}
