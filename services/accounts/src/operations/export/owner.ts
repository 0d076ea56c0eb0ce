/** Whose things may be taken along with a session. */
import { exportOwner } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { accountOfSession } from '../../views/session-account.js'

export const getExportOwner = handle(exportOwner, async (ctx, _viewer, { session }) => {
  const { account } = await accountOfSession(ctx, session)
  return { id: account.id, username: account.username }
})
