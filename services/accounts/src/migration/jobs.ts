/** Jobs that carry relationships over to the target of a move, one page per run. */
import { carryOverJob, transferFollowersJob } from '@murmuration/contracts/accounts'
import { fetchActor } from '@murmuration/contracts/federation'
import { notYet } from '@murmuration/contracts/kit'
import { queueNextOnce } from '@murmuration/kernel'
import { type AccountRow, accountsByIds } from '../core/account/store.js'
import { work } from '../handlers.js'
import { applyFetchResult, isSuccessor, staysWithoutHandle } from '../remote-account/index.js'
import { carriedAfter, carryOver } from './carry-over.js'
import { finishMove, moveById } from './store.js'
import { transferFollowers } from './transfer-followers.js'

/**
 * Whether a move no longer applies, because it was cancelled or replaced, or its target is suspended. The remaining
 * followers then stay at the old account.
 */
const hasEnded = (from: AccountRow, to: AccountRow): boolean =>
  to.suspended ||
  // The stored profile of a remote account may not name the target yet, although its Move activity named the target.
  (from.moved_to_id !== to.id && (from.domain === null || from.moved_to_id !== null))

export const carryOverWork = work(carryOverJob, async (ctx, { move, what, after }, meta) => {
  await ctx.db.tx(async (tx) => {
    const row = await moveById(tx, move)
    const homes = row ? await accountsByIds(tx, [row.account_id, row.target_id]) : []
    const from = homes.find((one) => one.id === row?.account_id)
    const to = homes.find((one) => one.id === row?.target_id)
    if (!from || !to || hasEnded(from, to)) return
    const next = await carryOver(ctx, tx, what, from, to, after)
    const then = carriedAfter[what]
    if (next === null && then === null) return finishMove(tx, move, ctx.clock.date())
    const data = next === null ? { move, what: then ?? what, after: '0' } : { move, what, after: next }
    await queueNextOnce(tx, carryOverJob, meta, () => ctx.queue(tx, carryOverJob, data))
  })
  await ctx.faults.reach('carryOver.page')
})

/**
 * Fetches an account whose handle another actor has now. If the old actor no longer exists, its relationships move to
 * the new actor. A run may be repeated after a failure.
 */
export const transferFollowersWork = work(transferFollowersJob, async (ctx, { from, to }, { tries }) => {
  const rows = await accountsByIds(ctx.db, [from, to])
  const old = rows.find((row) => row.id === from)
  const successor = rows.find((row) => row.id === to)
  if (!old || !successor) return
  const result = await ctx.call(fetchActor, { uri: old.uri })
  // An unreachable server is no proof that the account is gone. After the last try, both accounts stay separate.
  if (result.outcome === 'later' && tries < transferFollowersJob.retry.times)
    throw notYet('The old address cannot be read yet')
  const isTwin = result.actor !== null && staysWithoutHandle(result.actor, successor)
  await applyFetchResult(ctx, { uri: old.uri }, old, isTwin ? { outcome: 'refused', actor: null } : result)
  if (isSuccessor(old, successor, result)) await transferFollowers(ctx, from, to)
})
