/** Merges suggestions of several sources: one entry per account, with all reasons. */
import type { Suggestion } from '@murmuration/contracts'

export type Reason = Suggestion['sources'][number]

/** The value of `source`, which older clients read instead of `sources`. */
const OLDER: Readonly<Record<Reason, Suggestion['source']>> = {
  featured: 'staff',
  most_followed: 'global',
  most_interactions: 'global',
  similar_to_recently_followed: 'past_interactions',
  friends_of_friends: 'past_interactions',
}

export interface Suggested {
  id: string
  source: Suggestion['source']
  sources: Reason[]
}

/** Accounts in the order of the sources. An account of several sources has the position of the first one. */
export const suggestionsFrom = (sources: readonly (readonly [Reason, readonly string[]])[]): Suggested[] => {
  const found = new Map<string, Suggested>()
  for (const [reason, ids] of sources)
    for (const id of ids) {
      const there = found.get(id)
      if (there) there.sources.push(reason)
      else found.set(id, { id, source: OLDER[reason], sources: [reason] })
    }
  return [...found.values()]
}

/** Handles in a setting, for example `alice, @bob@example.org`. At most 100. */
export const handlesIn = (setting: string): string[] =>
  setting
    .split(/[\s,]+/)
    .map((one) => one.replace(/^@/, ''))
    .filter(Boolean)
    .slice(0, 100)
