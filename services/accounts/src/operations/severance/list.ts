/** What a person lost by decisions. */
import { severanceList } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { severancesOf } from '../../store/severance.js'
import { accountOfSession } from '../../views/session-account.js'
import { severanceOf } from '../../views/severance.js'

export const listSeverances = handle(severanceList, async (ctx, _viewer, { session }) => {
  const { account } = await accountOfSession(ctx, session)
  return { events: (await severancesOf(ctx.db, account.id)).map(severanceOf) }
})
