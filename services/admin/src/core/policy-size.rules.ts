/** Maximum number of domains in the published policy. */
import { DOMAIN_CHUNK_SIZE } from '@murmuration/contracts/admin'

/**
 * Number of chunks of domains in the published policy. It is constant, so that a domain never moves to another chunk
 * while a service reads.
 */
export const CHUNKS = 64
/**
 * Maximum number of domain blocks and allowed domains together. It is below the capacity of the chunks, because chunks
 * fill unevenly.
 */
export const MAX_DOMAINS = Math.floor(CHUNKS * DOMAIN_CHUNK_SIZE * 0.8)
