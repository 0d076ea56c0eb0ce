/** Collects the hosts in the peer lists of one chunk, within limits. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { registeredDomain } from '@murmuration/text'
import { readPeer } from './rules.js'
import { MAX_BELOW, MAX_SERVERS } from './store.js'

/** Number of entries of a peer list that are handled before the event loop runs other work. */
const AT_ONCE = 2_000
/** Number of found host names from which the current chunk visits no more servers. */
const ENOUGH = 20_000
const LIMITS = {
  /** Maximum number of entries of one peer list that are read. */
  read: 200_000,
  /** Maximum number of new host names that one peer list adds; further names are ignored. */
  added: 20_000,
  /** Maximum number of host names below one registered domain; further names are ignored. */
  below: MAX_BELOW,
  /** Maximum number of host names per chunk of the crawl; further names are ignored. */
  all: MAX_SERVERS,
}

/** Maps a list in parts of `AT_ONCE` entries, and lets the event loop run between them. */
export const mapWithYields = async <T, R>(items: readonly T[], work: (item: T) => R): Promise<R[]> => {
  const results: R[] = []
  for (let from = 0; from < items.length; from += AT_ONCE) {
    if (from > 0) await nextTurn()
    for (const item of items.slice(from, from + AT_ONCE)) results.push(work(item))
  }
  return results
}

export interface Names {
  /** Adds the domains of a peer list. Returns true if the list contains any domain. */
  add(json: unknown): Promise<boolean>
  all(): string[]
  /** True if the chunk must store its found host names before it visits more servers. */
  isFull(): boolean
}

/** Creates an empty collection of host names. `anyHost`: also accepts IP addresses and ports, for test networks. */
export const createNames = (anyHost: boolean, limits = LIMITS): Names => {
  const names = new Set<string>()
  const below = new Map<string, number>()
  /** Adds a host name. Returns false if the name is known, or if a limit is reached. */
  const keep = (host: string): boolean => {
    const site = registeredDomain(host)
    const count = below.get(site) ?? 0
    if (count >= limits.below || names.size >= limits.all || names.has(host)) return false
    below.set(site, count + 1)
    names.add(host)
    return true
  }
  return {
    async add(json) {
      if (!Array.isArray(json)) return false
      let [isAny, added] = [false, 0]
      await mapWithYields(json.slice(0, limits.read), (entry) => {
        if (added >= limits.added) return
        const host = readPeer(entry, anyHost)
        if (host === null) return
        isAny = true
        if (keep(host)) added++
      })
      return isAny
    },
    all: () => [...names],
    isFull: () => names.size >= ENOUGH,
  }
}
