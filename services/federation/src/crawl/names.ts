/** Collects the servers that the responses of one chunk name, within limits that apply while a response is read. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { registeredDomain } from '@murmuration/text'
import { readPeer } from './rules.js'
import { MOST_BELOW, MOST_SERVERS } from './store.js'

/** Entries of a list between which other work has its turn. */
const AT_ONCE = 2_000
/** Names of a chunk that begins no more visits. */
const ENOUGH = 20_000
const LIMITS = {
  /** Entries of one response that are read. */
  read: 200_000,
  /** New names that one response adds. */
  added: 20_000,
  /** Names below one registered domain, and of all responses. */
  below: MOST_BELOW,
  all: MOST_SERVERS,
}

/** Maps a long list in parts, so that it does not block the process. */
export const mapInTurns = async <T, R>(items: readonly T[], work: (item: T) => R): Promise<R[]> => {
  const results: R[] = []
  for (let from = 0; from < items.length; from += AT_ONCE) {
    if (from > 0) await nextTurn()
    for (const item of items.slice(from, from + AT_ONCE)) results.push(work(item))
  }
  return results
}

export interface Names {
  /** Adds the domains of a list; returns whether it has any. */
  add(json: unknown): Promise<boolean>
  all(): string[]
  /** The names are to be stored before more servers are visited. */
  isFull(): boolean
}

/** `anyHost` also takes addresses and ports. */
export const createNames = (anyHost: boolean, limits = LIMITS): Names => {
  const names = new Set<string>()
  const below = new Map<string, number>()
  /** Returns whether the name is new and within the limits. */
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
      await mapInTurns(json.slice(0, limits.read), (entry) => {
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
