/** Servers that people are known of. */
import { accountDomains } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { everyDomain } from '../../store/figure.js'

const MOST = 200_000

export const listDomains = handle(accountDomains, async (ctx) => ({ domains: await everyDomain(ctx.db, MOST) }))
