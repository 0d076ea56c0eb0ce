/** Worker slots of this process, counted per site, so that a slow site does not block activities of other sites. */

import { hostOf } from '@murmuration/activitypub/vocabulary/uri'
import { registeredDomain } from '@murmuration/text'

/** Worker slot of one activity that is being processed. */
export interface WorkerSlot {
  /** Counts the activity as slow until its slot is released. */
  markSlow(): void
  /** Releases the worker slot. `release` must be called exactly once. */
  release(): void
}

export interface WorkerSlots {
  /** Takes a slot for an activity of this actor; null while its site has too many slow activities. */
  take(actor: string): WorkerSlot | null
  /**
   * Takes an overflow slot for a slow job that frees its slot on the bus. Returns null if no overflow slot is
   * available.
   *
   * Returns the function that releases the slot. The returned function must be called once.
   */
  takeOverflow(): (() => void) | null
}

/**
 * Number of slow activities from which a site is limited. Fewer activities may be slow because of a third server that
 * the activities name.
 */
const SLOW = 4
/** Maximum number of activities of a limited site that are processed at once. */
const SHARE = 8
/**
 * Maximum number of slow jobs without a bus slot per process. All processes together stay below the bus limit of
 * unacknowledged messages.
 */
const OVERFLOW = 40

/** Site of an actor: the registered domain of its host. */
export const siteOf = (actor: string): string => registeredDomain(hostOf(actor) ?? actor)

export const createWorkerSlots = (): WorkerSlots => {
  const sites = new Map<string, { all: number; slow: number }>()
  let overflow = 0
  return {
    take(actor) {
      const site = siteOf(actor)
      const used = sites.get(site) ?? { all: 0, slow: 0 }
      if (used.slow >= SLOW && used.all >= SHARE) return null
      sites.set(site, used)
      used.all++
      let state: 'taken' | 'slow' | 'released' = 'taken'
      return {
        markSlow() {
          if (state !== 'taken') return
          state = 'slow'
          used.slow++
        },
        release() {
          if (state === 'slow') used.slow--
          state = 'released'
          used.all--
          if (used.all === 0) sites.delete(site)
        },
      }
    },
    takeOverflow() {
      if (overflow >= OVERFLOW) return null
      overflow++
      return () => {
        overflow--
      }
    },
  }
}
