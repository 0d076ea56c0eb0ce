/** Jobs that carry relationships over to the new account, a page at a time. */
import { carryOverJob, handOverJob } from '@murmuration/contracts/accounts'
import { fetchActor } from '@murmuration/contracts/federation'
import { notYet } from '@murmuration/contracts/kit'
import { type AccountRow, accountsByIds } from '../core/account.store.js'
import { work } from '../handlers.js'
import { isHeir, staysNameless, takeAnswer } from '../remote-account/index.js'
import { carriedAfter, carryOver } from './carry-over.js'
import { handOver } from './hand-over.js'
import { finishMove, moveById } from './store.js'

/** The person came back or moved on, or the new home is closed: whoever is left stays where they are. */
const hasEnded = (from: AccountRow, to: AccountRow): boolean =>
  to.suspended ||
  // A profile elsewhere may not say yet where its owner went; the Move did.
  (from.moved_to_id !== to.id && (from.domain === null || from.moved_to_id !== null))

export const carryOverWork = work(carryOverJob, async (ctx, { move, what, after }) => {
  await ctx.db.tx(async (tx) => {
    const row = await moveById(tx, move)
    const homes = row ? await accountsByIds(tx, [row.account_id, row.target_id]) : []
    const from = homes.find((one) => one.id === row?.account_id)
    const to = homes.find((one) => one.id === row?.target_id)
    if (!from || !to || hasEnded(from, to)) return
    const next = await carryOver(ctx, tx, what, from, to, after)
    const then = carriedAfter[what]
    if (next !== null) await ctx.queue(tx, carryOverJob, { move, what, after: next })
    else if (then !== null) await ctx.queue(tx, carryOverJob, { move, what: then, after: '0' })
    else await finishMove(tx, move, ctx.clock.date())
  })
  await ctx.faults.reach('carryOver.page')
})

/** Reads who lost a handle to another actor, and hands over to that one where nobody is there any more; safe to repeat. */
export const handOverWork = work(handOverJob, async (ctx, { from, to }, { tries }) => {
  const rows = await accountsByIds(ctx.db, [from, to])
  const old = rows.find((row) => row.id === from)
  const heir = rows.find((row) => row.id === to)
  if (!old || !heir) return
  const answer = await ctx.call(fetchActor, { uri: old.uri })
  // A server that is away says nothing about who lives there; after the last try the two stay apart.
  if (answer.outcome === 'later' && tries < handOverJob.retry.times) throw notYet('The old address cannot be read yet')
  const isTwin = answer.actor !== null && staysNameless(answer.actor, heir)
  await takeAnswer(ctx, { uri: old.uri }, old, isTwin ? { outcome: 'refused', actor: null } : answer)
  if (isHeir(old, heir, answer)) await handOver(ctx, from, to)
})
