/** Whose letters this process works on, and for how long: one site that answers slowly keeps nobody else waiting. */

import { hostOf } from '@murmuration/activitypub/vocabulary/uri'
import { registeredDomain } from '@murmuration/text'

/** Work on one letter. */
export interface Hand {
  /** The work needs long, unless it is over. */
  linger(): void
  /** The work is over; called once. */
  end(): void
}

export interface Hands {
  /** Begins work on a letter of this actor; null while its site has too many slow ones in work, so that it has to wait. */
  take(actor: string): Hand | null
  /** A place for a job whose letters need long, so that others get its hand, to be given back once; null when all are taken. */
  setAside(): (() => void) | null
}

/** From so many slow letters on, all that a site has in work are counted: before, what is slow may be any server that they speak of. */
const SLOW = 4
/** Letters of such a site in work. */
const SHARE = 8
/** Jobs of one process that go on without a hand; the processes of a large instance together stay below what the bus hands out. */
const PLACES = 40

/** All hosts below one registered name are one site. */
export const siteOf = (actor: string): string => registeredDomain(hostOf(actor) ?? actor)

export const createHands = (): Hands => {
  const sites = new Map<string, { all: number; slow: number }>()
  let aside = 0
  return {
    take(actor) {
      const site = siteOf(actor)
      const work = sites.get(site) ?? { all: 0, slow: 0 }
      if (work.slow >= SLOW && work.all >= SHARE) return null
      sites.set(site, work)
      work.all++
      let state: 'begun' | 'slow' | 'over' = 'begun'
      return {
        linger() {
          if (state !== 'begun') return
          state = 'slow'
          work.slow++
        },
        end() {
          if (state === 'slow') work.slow--
          state = 'over'
          work.all--
          if (work.all === 0) sites.delete(site)
        },
      }
    },
    setAside() {
      if (aside >= PLACES) return null
      aside++
      return () => {
        aside--
      }
    },
  }
}
