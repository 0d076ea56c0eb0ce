/** Carries what people here have with an account that moved over to its new home, a page at a time; safe to repeat at any point. */
import { carryOverJob } from '@murmuration/contracts/accounts'
import { carriedAfter, carryOver } from '../changes/carry-over.js'
import { work } from '../doors.js'
import { type AccountRow, accountsByIds } from '../store/account.js'
import { finishMove, moveById } from '../store/move.js'

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
