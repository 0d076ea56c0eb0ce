/** Brings the accounts of a domain to what blocks and allows say. */
import { settleDomain as settleDomainJob } from '@murmuration/contracts/admin'
import { work } from '../handlers.js'
import { settleDomainNow } from './settle.js'

export const settleDomain = work(settleDomainJob, settleDomainNow)
