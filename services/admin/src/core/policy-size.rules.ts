/** Maximum number of domains in the published policy. */
import { DOMAIN_CHUNK_SIZE } from '@murmuration/contracts/admin'

/** Number of chunks. The number is constant, so that a domain never moves to another chunk while a service reads. */
export const CHUNKS = 64
/** Maximum of blocks and allows together. The maximum is below the capacity of the chunks, because chunks fill unevenly. */
export const MAX_DOMAINS = Math.floor(CHUNKS * DOMAIN_CHUNK_SIZE * 0.8)
