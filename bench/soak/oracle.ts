/** Test oracle: the expected state of all servers once they are idle. The workers update it with each action. */

/** A local status. */
export interface Ours {
  id: string
  uri: string
  author: string
  visibility: string
  deleted: boolean
  /** Origins of the remote servers that must receive the status: those with a permanent follower of its author. */
  audience: ReadonlySet<string>
  /** Remote actors who like the status. */
  likes: Set<string>
}

/** A remote note. */
export interface Theirs {
  uri: string
  author: string
  host: string
  deleted: boolean
  /** Names of local users who like the note. */
  likes: Set<string>
}

export interface Oracle {
  ours: Map<string, Ours>
  theirs: Map<string, Theirs>
  /** Remote followers of each local user, by name. */
  followers: Map<string, Set<string>>
  /** Remote actors that each local user follows, by name. */
  following: Map<string, Set<string>>
  /** Names of the local users that each local user follows, by name. */
  circle: Map<string, Set<string>>
  /** Number of actions by name, for the log. */
  counts: Map<string, number>
  /** Number of home timeline entries, rows of `deliveries` and received activities that the last comparison checked. */
  compared: { homes: number; deliveries: number; arrived: number }
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
    compared: { homes: 0, deliveries: 0, arrived: 0 },
    count: (what) => counts.set(what, (counts.get(what) ?? 0) + 1),
  }
}

/** Addresses of the statuses that the home timeline of a user must contain. */
export const homeOf = (oracle: Oracle, name: string): Set<string> => {
  const locals = new Set([name, ...(oracle.circle.get(name) ?? [])])
  const remotes = oracle.following.get(name) ?? new Set()
  return new Set([
    ...[...oracle.ours.values()].filter((one) => !one.deleted && locals.has(one.author)).map((one) => one.uri),
    ...[...oracle.theirs.values()].filter((one) => !one.deleted && remotes.has(one.author)).map((one) => one.uri),
  ])
}

/** Describes missing and extra entries; null if both sets are equal. */
export const difference = (wanted: ReadonlySet<string>, found: ReadonlySet<string>): string | null => {
  const missing = [...wanted].filter((one) => !found.has(one))
  const extra = [...found].filter((one) => !wanted.has(one))
  if (missing.length + extra.length === 0) return null
  const some = (list: string[]) => `${list.length}${list.length ? ` (${list.slice(0, 3).join(', ')})` : ''}`
  return `of ${wanted.size}: missing ${some(missing)}, too many ${some(extra)}`
}
