/** Handler that returns the accounts whose users may use the API, with languages. Callers send no messages to the other accounts. */
import { loginsUsable } from '@murmuration/contracts/accounts'
import { stateOf } from '../core/user/state.rules.js'
import { usersByAccountIds } from '../core/user/store.js'
import { handle } from '../handlers.js'

export const usableLogins = handle(loginsUsable, async (ctx, _viewer, { ids }) => {
  const rows = (await usersByAccountIds(ctx.db, ids)).filter((row) => stateOf(row) === 'ok')
  return {
    usable: rows.map((row) => row.account_id),
    locales: Object.fromEntries(rows.map((row) => [row.account_id, row.locale])),
  }
})
