/** One account by actor id or handle, fetched from its server when it is unknown. */
import { accountResolve } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { reachAccount } from '../../outside/resolve-account.js'
import { recordOf } from '../../views/account-record.js'

export const askForAccount = handle(accountResolve, async (ctx, _viewer, question) => {
  const { row, later } = await reachAccount(ctx, question)
  return { record: row ? recordOf(row) : null, ...(later && { later }) }
})
