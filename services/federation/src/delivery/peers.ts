/** The servers we have had to do with, remembered for minutes so that a busy one costs no query per request. */

import type { Database } from '@murmuration/db'
import { createMemoryCache } from '@murmuration/flow'
import { isPeer, noteInbound } from '../core/peer.store.js'
import { markAlive } from './host.store.js'

export interface Peers {
  isKnown(host: string): Promise<boolean>
  /** Notes a sign of life, at most once a minute for each host. */
  alive(host: string): Promise<void>
}

const KNOWN_MS = 600_000

export const createPeers = (db: Database, now: () => number): Peers => {
  const known = createMemoryCache<boolean>({ most: 20_000, ttlMs: KNOWN_MS, now })
  const noted = createMemoryCache<boolean>({ most: 20_000, ttlMs: 60_000, now })
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
      await noteInbound(db, host)
      // Deliveries that waited for the host are sent now.
      await markAlive(db, host, new Date(now()))
    },
  }
}
