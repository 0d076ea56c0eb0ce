/** Forgets an import that was not confirmed. */
import { importRemove } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { deleteUnconfirmed } from '../../store/import.js'
import { accountOfSession } from '../../views/session-account.js'

export const removeImport = handle(importRemove, async (ctx, _viewer, { session, id }) => {
  const { account } = await accountOfSession(ctx, session)
  return { removed: await deleteUnconfirmed(ctx.db, account.id, id) }
})
