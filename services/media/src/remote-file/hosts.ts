/** Manners towards other hosts: how often they are asked, and how many of a worker's hands their files may hold. */
import { createCounts, createHostBudget, createMemory, type Redis } from '@murmuration/cache'
import { fetchRemoteJob } from '@murmuration/contracts/media'
import { registeredDomain } from '@murmuration/text'

export interface Hosts {
  /** Takes a worker slot for a file of the host, to be released once; null when its registered domain has used its share. */
  take(host: string): (() => void) | null
  /** False when the whole cluster asked the host too often this minute. `behind` when nobody waits for the file. */
  mayAsk(host: string, behind: boolean): Promise<boolean>
}

/** Hands for files of all hosts below one registered name, however slow they are: enough for a status with all its pictures. */
const SHARE = fetchRemoteJob.concurrency / 3
/** Requests to all hosts together within a minute, from the whole cluster. */
const IN_ALL = 30_000

/** `prefix` keeps instances apart that share a Redis; `now` gives milliseconds. */
export const createHosts = (options: { redis: Redis; prefix: string; now: () => number }): Hosts => {
  const { now } = options
  const counts = createCounts({ ...options, local: createMemory({ most: 10_000, ttlMs: 120_000, now }) })
  const { mayAsk } = createHostBudget(counts, { inAll: IN_ALL })
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
    mayAsk,
  }
}
