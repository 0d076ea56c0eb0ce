/** Applies the current blocks and allows to the accounts of a domain. */
import { settleDomain as settleDomainJob } from '@murmuration/contracts/admin'
import { work } from '../handlers.js'
import { settleDomainNow } from './settle.js'

export const settleDomain = work(settleDomainJob, settleDomainNow)
