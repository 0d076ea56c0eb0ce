/** A person takes back that another account is theirs. */
import { aliasRemove } from '@murmuration/contracts/accounts'
import { tellOfAccount } from '../../changes/move.js'
import { handle } from '../../doors.js'
import { lockName } from '../../store/lock.js'
import { setAlias } from '../../store/move.js'
import { accountOfSession } from '../../views/session-account.js'

export const removeAlias = handle(aliasRemove, async (ctx, _viewer, { session, uri }) => {
  const { account } = await accountOfSession(ctx, session)
  return ctx.db.tx(async (tx) => {
    await lockName(tx, `move ${account.id}`)
    const removed = await setAlias(tx, account.id, uri, false)
    if (removed) await tellOfAccount(ctx, tx, account.id, false)
    return { removed }
  })
})
