/** Applies the current blocks and allows to the accounts of a domain. */
import { enforceDomainBlock } from '@murmuration/contracts/admin'
import { work } from '../handlers.js'
import { enforceBlock } from './enforce.js'

export const enforceDomainBlockWork = work(enforceDomainBlock, enforceBlock)
