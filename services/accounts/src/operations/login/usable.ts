/** Selects the logins that may use the API, so that nothing is sent to the others. */
import { loginsUsable } from '@murmuration/contracts/accounts'
import { stateOf } from '../../domain/person-state.js'
import { handle } from '../../doors.js'
import { personsByAccountIds } from '../../store/user.js'

export const usableLogins = handle(loginsUsable, async (ctx, _viewer, { ids }) => ({
  usable: (await personsByAccountIds(ctx.db, ids)).filter((row) => stateOf(row) === 'ok').map((row) => row.account_id),
}))
