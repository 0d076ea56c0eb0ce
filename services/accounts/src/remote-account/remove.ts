/** A remote account is gone: its relations end, and what it wrote goes with the event. */
import { accountHint, accountRemoved } from '@murmuration/contracts/accounts'
import type { Tx } from '@murmuration/db'
import { inSteps } from '@murmuration/kernel'
import type { Context } from '../context.js'
import type { AccountRow } from '../core/account.store.js'
import { relationsOfAccounts } from '../core/follow-domain.store.js'
import { lockAccount, lockName } from '../core/lock.store.js'
import { endFollows, endRequests } from '../follow/index.js'
import { deleteRemote } from './store.js'

/** Relationships in each direction that one transaction ends. When the time of the request is over, the next request continues. */
const STEPS = { size: 1_000, steps: 10_000 }

/** Ends some of what people here have with an account; gives how much at most on one side. */
const endSome = async (ctx: Context, tx: Tx, id: string): Promise<number> => {
  await lockAccount(tx, id)
  const byTarget = (pair: { to: string }) => pair.to === id
  const follows = await relationsOfAccounts(tx, 'follows', [id], STEPS.size)
  await endFollows(ctx, tx, follows, byTarget)
  const requests = await relationsOfAccounts(tx, 'follow_requests', [id], STEPS.size)
  await endRequests(ctx, tx, requests, (pair) => (byTarget(pair) ? 'rejected' : 'withdrawn'))
  return Math.max(follows.length, requests.length)
}

/** True when it was there until now. */
export const removeRemote = async (ctx: Context, row: Pick<AccountRow, 'id' | 'uri' | 'domain'>): Promise<boolean> => {
  await inSteps(STEPS, () => ctx.db.tx((tx) => endSome(ctx, tx, row.id)))
  return ctx.db.tx(async (tx) => {
    // Concurrent refreshes are stored before, or not at all.
    await lockName(tx, `actor ${row.uri}`)
    // Relationships that began meanwhile.
    await endSome(ctx, tx, row.id)
    const removed = await deleteRemote(tx, row.id)
    if (removed) {
      await ctx.announce(tx, accountRemoved, { id: row.id, local: false, uri: row.uri, domain: row.domain })
      tx.onCommit(() => ctx.hints.send(accountHint, [row.id]))
    }
    return removed
  })
}
