/** Removes a remote account that no longer exists: ends its relationships, and announces the removal. */
import { accountInvalidation, accountRemoved } from '@murmuration/contracts/accounts'
import type { Tx } from '@murmuration/db'
import { inSteps } from '@murmuration/kernel'
import type { Context } from '../context.js'
import type { AccountRow } from '../core/account/store.js'
import { relationsOfAccounts } from '../core/follow/domain.store.js'
import { lockAccount, lockName } from '../core/lock.store.js'
import { endFollows, endRequests } from '../follow/index.js'
import { storeDecisions } from './decision.store.js'
import { deleteRemote } from './store.js'

/**
 * `size`: maximum number of follows, and of requests, that one transaction ends in each direction. `steps`: maximum
 * number of transactions. If the request to remove an account times out, the next such request continues.
 */
const STEPS = { size: 1_000, steps: 10_000 }

/** Ends some relationships of an account. Returns the larger number of ended follows or requests. */
const endSome = async (ctx: Context, tx: Tx, id: string): Promise<number> => {
  await lockAccount(tx, id)
  const byTarget = (pair: { to: string }) => pair.to === id
  const follows = await relationsOfAccounts(tx, 'follows', [id], STEPS.size)
  await endFollows(ctx, tx, follows, byTarget)
  const requests = await relationsOfAccounts(tx, 'follow_requests', [id], STEPS.size)
  await endRequests(ctx, tx, requests, (pair) => (byTarget(pair) ? 'rejected' : 'withdrawn'))
  return Math.max(follows.length, requests.length)
}

/**
 * Removes an account. Returns false if the account was removed before. Decisions by staff apply again when the account
 * is stored again.
 */
export const removeRemote = async (ctx: Context, row: Pick<AccountRow, 'id' | 'uri' | 'domain'>): Promise<boolean> => {
  await inSteps(STEPS, () => ctx.db.tx((tx) => endSome(ctx, tx, row.id)))
  return ctx.db.tx(async (tx) => {
    // The lock on the actor id lets a concurrent refresh store the account before the removal, or not at all.
    await lockName(tx, `actor ${row.uri}`)
    // Ends relationships that other transactions began during the removal.
    await endSome(ctx, tx, row.id)
    await storeDecisions(tx, [row.id])
    const removed = await deleteRemote(tx, row.id)
    if (removed) {
      await ctx.announce(tx, accountRemoved, { id: row.id, local: false, uri: row.uri, domain: row.domain })
      tx.onCommit(() => ctx.invalidations.send(accountInvalidation, [row.id]))
    }
    return removed
  })
}
