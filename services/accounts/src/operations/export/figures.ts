/** How much a person has to take along. */
import { exportFigures } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { countToTake } from '../../store/export.js'
import { accountOfSession } from '../../views/session-account.js'

export const getExportFigures = handle(exportFigures, async (ctx, _viewer, { session }) => {
  const { account } = await accountOfSession(ctx, session)
  const { followers, ...counts } = await countToTake(ctx.db, account.id)
  return { counts, followers }
})
