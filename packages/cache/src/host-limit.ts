/** Rate limits of requests to other servers per minute, for each host and in total, shared by the whole cluster. */
import type { Counts } from './counts.js'

/** Default limit of requests to one host per minute. */
const PER_HOST = 300
/** Part of `PER_HOST` that background requests may use. The other requests are left for users who wait for a response. */
const BEHIND_PER_HOST = 200

/** A rate limiter of requests to other servers. The limiter never rejects. */
export interface HostLimit {
  /**
   * Counts a request. Returns false if this host, or all hosts together, reached the limit of the current minute.
   * `background` is true if no client waits for the response.
   */
  mayRequest(host: string, background?: boolean): Promise<boolean>
}

/**
 * Creates the rate limiter. `inAll` and `perHost` (300 by default) are requests per minute. Background requests to one
 * host may use two thirds of `perHost`.
 *
 * @example
 * const limit = createHostLimit(counts, { inAll: 30_000 })
 * if (!(await limit.mayRequest('files.example', true))) retryNextMinute()
 */
export const createHostLimit = (
  counts: Pick<Counts, 'add'>,
  { perHost = PER_HOST, inAll }: { perHost?: number; inAll: number },
): HostLimit => ({
  async mayRequest(host, background = false) {
    if (background && (await counts.add('behind', host)) > (perHost * BEHIND_PER_HOST) / PER_HOST) return false
    // The host is counted first. So a request that its host limit refuses does not use up the limit of all hosts.
    return (await counts.add('host', host)) <= perHost && (await counts.add('all', 'hosts')) <= inAll
  },
})
