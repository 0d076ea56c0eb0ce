/** How many accounts of domains are known, and how many follows join them with people here. */
import { domainTies } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { tiesOf } from '../../store/domain-ties.js'

export const listTies = handle(domainTies, async (ctx, _viewer, { domains }) => ({
  ties: await tiesOf(ctx.db, domains),
}))
