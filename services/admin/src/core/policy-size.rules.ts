/** How many domains the published policy holds. */
import { DOMAIN_CHUNK_SIZE } from '@murmuration/contracts/admin'

/** A constant, so that a domain never moves to another chunk while a service reads. */
export const CHUNKS = 64
/** Blocks and allows together; well below what the chunks hold when they fill unevenly. */
export const MOST_DOMAINS = Math.floor(CHUNKS * DOMAIN_CHUNK_SIZE * 0.8)
