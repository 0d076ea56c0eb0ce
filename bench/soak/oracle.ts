/** What must be so when everything came to rest: written down by the driver as it acts, compared with what the servers say. */

/** A status of ours. */
export interface Ours {
  id: string
  uri: string
  author: string
  visibility: string
  deleted: boolean
  /** Remote servers that must get it: those where somebody surely followed the author when it was written. */
  audience: ReadonlySet<string>
  /** Actors elsewhere who like it. */
  likes: Set<string>
}

/** A note of another server. */
export interface Theirs {
  uri: string
  author: string
  host: string
  deleted: boolean
  /** Names of people here who like it. */
  likes: Set<string>
}

export interface Oracle {
  ours: Map<string, Ours>
  theirs: Map<string, Theirs>
  /** Name of ours → actors elsewhere who follow them. */
  followers: Map<string, Set<string>>
  /** Name of ours → actors elsewhere whom they follow. */
  following: Map<string, Set<string>>
  /** Name of ours → names of ours whom they follow. */
  circle: Map<string, Set<string>>
  counts: Map<string, number>
  /** Entries of home timelines, rows of the ledger and arrivals elsewhere that the last verdict looked at. */
  compared: { homes: number; ledger: number; arrived: number }
  count(what: string): void
}

export const createOracle = (names: readonly string[]): Oracle => {
  const sets = () => new Map(names.map((name) => [name, new Set<string>()]))
  const counts = new Map<string, number>()
  return {
    ours: new Map(),
    theirs: new Map(),
    followers: sets(),
    following: sets(),
    circle: sets(),
    counts,
    compared: { homes: 0, ledger: 0, arrived: 0 },
    count: (what) => counts.set(what, (counts.get(what) ?? 0) + 1),
  }
}

/** Addresses that must stand in somebody's home timeline. */
export const homeOf = (oracle: Oracle, name: string): Set<string> => {
  const locals = new Set([name, ...(oracle.circle.get(name) ?? [])])
  const remotes = oracle.following.get(name) ?? new Set()
  return new Set([
    ...[...oracle.ours.values()].filter((one) => !one.deleted && locals.has(one.author)).map((one) => one.uri),
    ...[...oracle.theirs.values()].filter((one) => !one.deleted && remotes.has(one.author)).map((one) => one.uri),
  ])
}

/** What is missing and what is too much; null when both are the same. */
export const difference = (wanted: ReadonlySet<string>, found: ReadonlySet<string>): string | null => {
  const missing = [...wanted].filter((one) => !found.has(one))
  const extra = [...found].filter((one) => !wanted.has(one))
  if (missing.length + extra.length === 0) return null
  const some = (list: string[]) => `${list.length}${list.length ? ` (${list.slice(0, 3).join(', ')})` : ''}`
  return `of ${wanted.size}: missing ${some(missing)}, too many ${some(extra)}`
}
