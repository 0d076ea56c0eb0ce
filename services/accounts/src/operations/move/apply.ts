/** A remote account moved, as federation proved a moment ago. */
import { moveIn } from '@murmuration/contracts/accounts'
import { beginMove } from '../../changes/move.js'
import { homeFault, movedRecently } from '../../domain/move.js'
import { handle } from '../../doors.js'
import { accountsByIds } from '../../store/account.js'
import { lockName } from '../../store/lock.js'
import { lastMoveAt } from '../../store/move.js'

export const applyMove = handle(moveIn, (ctx, _viewer, { account, target }) =>
  ctx.db.tx(async (tx) => {
    await lockName(tx, `move ${account}`)
    const rows = await accountsByIds(tx, [account, target])
    const from = rows.find((row) => row.id === account)
    const to = rows.find((row) => row.id === target)
    if (!from || from.domain === null || from.suspended || !to) return { outcome: 'refused' as const }
    if (movedRecently(await lastMoveAt(tx, from.id), ctx.clock.now())) return { outcome: 'moved-recently' as const }
    const fault = homeFault(from, to)
    if (fault === 'no-alias') return { outcome: 'no-alias' as const }
    if (fault === 'moved') return { outcome: 'target-moved' as const }
    if (fault !== null) return { outcome: 'refused' as const }
    await beginMove(ctx, tx, from, to)
    return { outcome: 'done' as const }
  }),
)
