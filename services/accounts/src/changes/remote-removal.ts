/** A remote account is gone: its relations end, and what it wrote goes with the event. */
import { accountHint, accountRemoved } from '@murmuration/contracts/accounts'
import type { Context } from '../context.js'
import type { AccountRow } from '../store/account.js'
import { relationsOfAccounts } from '../store/follow.js'
import { lockAccount } from '../store/lock.js'
import { deleteRemote } from '../store/remote-account.js'
import { endFollows, endRequests } from './follow.js'

/** Far more than people here can have with one account. */
const MOST = 100_000

/** True when it was there until now. */
export const removeRemote = (ctx: Context, row: Pick<AccountRow, 'id' | 'uri'>): Promise<boolean> =>
  ctx.db.tx(async (tx) => {
    await lockAccount(tx, row.id)
    const byTarget = (pair: { to: string }) => pair.to === row.id
    await endFollows(ctx, tx, await relationsOfAccounts(tx, 'follows', [row.id], MOST), byTarget)
    const requests = await relationsOfAccounts(tx, 'follow_requests', [row.id], MOST)
    await endRequests(ctx, tx, requests, (pair) => (byTarget(pair) ? 'rejected' : 'withdrawn'))
    const removed = await deleteRemote(tx, row.id)
    if (removed) {
      await ctx.announce(tx, accountRemoved, { id: row.id, local: false, uri: row.uri })
      tx.onCommit(() => ctx.hints.send(accountHint, [row.id]))
    }
    return removed
  })
