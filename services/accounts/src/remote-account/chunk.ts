/** Limits the requests per server in one chunk of a task. */
import { chunkByHost, type HostChunk } from '@murmuration/kernel'
import { MAX_OF_CHUNK, MAX_OF_HOST } from './chunk.rules.js'

/** Returns the first accounts that one chunk may fetch within the limits per server. `before`: account id after which the chunk begins. */
export const chunkOf = <T extends { id: string; domain: string | null }>(
  rows: readonly T[],
  before: string,
): HostChunk<T> =>
  chunkByHost(rows, { before, hostOf: (row) => row.domain ?? '', max: MAX_OF_CHUNK, perHost: MAX_OF_HOST })
