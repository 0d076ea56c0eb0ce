/** Brings the accounts of a domain to what blocks and allows say. */
import { settleDomain as settleDomainJob } from '@murmuration/contracts/admin'
import { settleDomainNow } from '../changes/settle-domain.js'
import { work } from '../doors.js'

export const settleDomain = work(settleDomainJob, settleDomainNow)
