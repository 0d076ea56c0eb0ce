/** Each host gets a part of the places only, so that one that never answers cannot hold up the others. */

import type { Deadline } from './deadline.js'
import { createSlots, type Slots } from './slots.js'

/** Take a place for a request to this host; what comes back gives it back, exactly once. Rejects as `Slots` do. */
export type Shares = { take(host: string, deadline: Deadline): Promise<() => void> }

/** `size` places in all, `share` of them for one host; `queue` may wait for either. Idle hosts are not remembered. */
export function createShares(size: number, share: number, queue: number): Shares {
  const all = createSlots(size, queue)
  const hosts = new Map<string, { slots: Slots; users: number }>()

  return {
    async take(host, deadline) {
      const known = hosts.get(host) ?? { slots: createSlots(share, queue), users: 0 }
      hosts.set(host, known)
      known.users += 1
      const leave = () => {
        known.users -= 1
        if (known.users === 0) hosts.delete(host)
      }
      try {
        await known.slots.take(deadline)
      } catch (error) {
        leave()
        throw error
      }
      const give = () => {
        known.slots.give()
        leave()
      }
      try {
        await all.take(deadline)
      } catch (error) {
        give()
        throw error
      }
      return () => {
        all.give()
        give()
      }
    },
  }
}
