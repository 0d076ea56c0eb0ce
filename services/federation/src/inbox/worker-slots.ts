/** Worker slots of this process, counted per site: one site that responds slowly does not block activities of others. */

import { hostOf } from '@murmuration/activitypub/vocabulary/uri'
import { registeredDomain } from '@murmuration/text'

/** Slot of one activity that is processed. */
export interface WorkerSlot {
  /** Counts the activity as slow until its slot is released. */
  markSlow(): void
  /** Ends the processing; called once. */
  release(): void
}

export interface WorkerSlots {
  /** Takes a slot for an activity of this actor; null while its site has too many slow activities. */
  take(actor: string): WorkerSlot | null
  /** Takes a place for a slow job that gives its bus slot to other jobs. Returns its release, called once; null if none is free. */
  takeOverflow(): (() => void) | null
}

/** Slow activities from which on a site is bounded. Below that, the slow server may be a third one that the activities name. */
const SLOW = 4
/** Most activities of a bounded site that are processed at once. */
const SHARE = 8
/** Slow jobs without a bus slot per process. All processes of a large instance stay below the bus limit of unfinished messages. */
const OVERFLOW = 40

/** All hosts below one registered name are one site. */
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
