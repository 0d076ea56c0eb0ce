/** Goes on changing how the accounts of a domain stand, a page at a time. */
import { moderateDomainJob } from '@murmuration/contracts/accounts'
import { continueDomain } from '../changes/moderate-domain.js'
import { work } from '../doors.js'

export const moderateDomain = work(moderateDomainJob, (ctx, data) => ctx.db.tx((tx) => continueDomain(ctx, tx, data)))
