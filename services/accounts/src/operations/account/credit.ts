/** Whether pages of a host may name an account as their author. */
import { creditAllowed } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { credits } from '../../store/credit.js'

export const getCredit = handle(creditAllowed, async (ctx, _viewer, { id, host }) => ({
  allowed: await credits(ctx.db, id, host.toLowerCase()),
}))
