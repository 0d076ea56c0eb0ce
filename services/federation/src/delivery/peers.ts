/** Cache of known servers (table `peers`), so that requests of a busy server need no query. */

import type { Database } from '@murmuration/db'
import { createMemoryCache } from '@murmuration/flow'
import { isPeer, recordInbound } from '../core/host/peer.store.js'
import { markAlive } from './host-queue.store.js'

export interface Peers {
  /** True if the host signed a valid request or returned an actor document before. */
  isKnown(host: string): Promise<boolean>
  /**
   * Records a valid request of a host, at most once a minute per host, and ends the pause of deliveries to the host.
   */
  alive(host: string): Promise<void>
}

const KNOWN_MS = 600_000

export const createPeers = (db: Database, now: () => number): Peers => {
  const known = createMemoryCache<boolean>({ max: 20_000, ttlMs: KNOWN_MS, now })
  const noted = createMemoryCache<boolean>({ max: 20_000, ttlMs: 60_000, now })
  return {
    isKnown: async (host) =>
      known.load(
        host,
        () => isPeer(db, host),
        (isFound) => (isFound ? KNOWN_MS : 0),
      ),
    async alive(host) {
      if (noted.get(host)) return
      noted.set(host, true)
      await recordInbound(db, host)
      // Resets the health of the host, so that its failed deliveries are due now.
      await markAlive(db, host, new Date(now()))
    },
  }
}
