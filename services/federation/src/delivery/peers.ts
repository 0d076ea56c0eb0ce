/** The servers we have had to do with, remembered for minutes so that a busy one costs no query per request. */

import { createMemory } from '@murmuration/cache'
import type { Database } from '@murmuration/db'
import { isPeer, noteInbound } from '../core/peer.store.js'
import { markAlive } from './host.store.js'

export interface Peers {
  isKnown(host: string): Promise<boolean>
  /** Notes a sign of life, at most once a minute for each host. */
  alive(host: string): Promise<void>
}

export const createPeers = (db: Database, now: () => number): Peers => {
  const known = createMemory<boolean>({ most: 20_000, ttlMs: 600_000, now })
  const noted = createMemory<boolean>({ most: 20_000, ttlMs: 60_000, now })
  return {
    async isKnown(host) {
      if (known.get(host)) return true
      const found = await isPeer(db, host)
      if (found) known.set(host, true)
      return found
    },
    async alive(host) {
      if (noted.get(host)) return
      noted.set(host, true)
      await noteInbound(db, host)
      // Deliveries that waited for the host are sent now.
      await markAlive(db, host, new Date(now()))
    },
  }
}
