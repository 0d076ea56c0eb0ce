/** A remote account is gone: its relations end, and what it wrote goes with the event. */
import { accountHint, accountRemoved, removeRemote } from '@murmuration/contracts/accounts'
import { endFollows, endRequests } from '../../changes/follow.js'
import { handle } from '../../doors.js'
import { accountsByUris } from '../../store/account.js'
import { relationsOfAccounts } from '../../store/follow.js'
import { lockAccount } from '../../store/lock.js'
import { deleteRemote } from '../../store/remote-account.js'

/** Far more than people here can have with one account. */
const MOST = 100_000

export const removeRemoteAccount = handle(removeRemote, async (ctx, _viewer, { uri }) => {
  const [row] = await accountsByUris(ctx.db, [uri])
  if (!row || row.domain === null) return { removed: false }
  return ctx.db.tx(async (tx) => {
    await lockAccount(tx, row.id)
    const byTarget = (pair: { to: string }) => pair.to === row.id
    await endFollows(ctx, tx, await relationsOfAccounts(tx, 'follows', [row.id], MOST), byTarget)
    const requests = await relationsOfAccounts(tx, 'follow_requests', [row.id], MOST)
    await endRequests(ctx, tx, requests, (pair) => (byTarget(pair) ? 'rejected' : 'withdrawn'))
    const removed = await deleteRemote(tx, row.id)
    if (removed) {
      await ctx.announce(tx, accountRemoved, { id: row.id, local: false, uri })
      tx.onCommit(() => ctx.hints.send(accountHint, [row.id]))
    }
    return { removed }
  })
})
