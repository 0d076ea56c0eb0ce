/** An account that pointed elsewhere is used here again. */
import { moveCancel } from '@murmuration/contracts/accounts'
import { tellOfAccount } from '../../changes/move.js'
import { handle } from '../../doors.js'
import { lockName } from '../../store/lock.js'
import { pointTo } from '../../store/move.js'
import { accountOfSession } from '../../views/session-account.js'

export const cancelMove = handle(moveCancel, async (ctx, _viewer, { session }) => {
  const { account } = await accountOfSession(ctx, session)
  return ctx.db.tx(async (tx) => {
    await lockName(tx, `move ${account.id}`)
    const cancelled = await pointTo(tx, account.id, null)
    if (cancelled) await tellOfAccount(ctx, tx, account.id, true)
    return { cancelled }
  })
})
