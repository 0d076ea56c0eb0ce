/** Limits of requests to remote hosts, and of worker slots for their files. */
import { createCounts, createHostLimit, type Redis } from '@murmuration/cache'
import { fetchRemoteJob } from '@murmuration/contracts/media'
import { createMemoryCache } from '@murmuration/flow'
import { registeredDomain } from '@murmuration/text'

export interface Hosts {
  /**
   * Takes a worker slot for a file of the host. The returned function must be called once to release it. Null if the
   * registered domain of the host has no free slot.
   */
  take(host: string): (() => void) | null
  /**
   * False if the cluster has reached the limit of requests to the host in this minute. `background`: no client waits for
   * the file.
   */
  mayRequest(host: string, background: boolean): Promise<boolean>
}

/** Number of worker slots for the files of one registered domain. It suffices for all pictures of a status. */
const SHARE = fetchRemoteJob.concurrency / 3
/** Maximum number of requests of the cluster to all hosts together within a minute. */
const IN_ALL = 30_000

/** `prefix` separates instances that share a Redis. `now` returns milliseconds. */
export const createHosts = (options: { redis: Redis; prefix: string; now: () => number }): Hosts => {
  const { now } = options
  const counts = createCounts({ ...options, local: createMemoryCache({ max: 10_000, ttlMs: 120_000, now }) })
  const { mayRequest } = createHostLimit(counts, { inAll: IN_ALL })
  const held = new Map<string, number>()
  return {
    take(host) {
      const site = registeredDomain(host)
      const before = held.get(site) ?? 0
      if (before >= SHARE) return null
      held.set(site, before + 1)
      return () => {
        const left = (held.get(site) ?? 1) - 1
        if (left > 0) held.set(site, left)
        else held.delete(site)
      }
    },
    mayRequest,
  }
}
