/** Suggestions put together: one entry for each account, with every reason there is. */
import type { Suggestion } from '@murmuration/contracts'

export type Reason = Suggestion['sources'][number]

/** The one reason that older clients are told. */
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

/** Accounts in the order of the sources; who comes from several stands where the first one has them. */
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

/** Handles of a setting, as staff writes them: `alice, @bob@example.org`. */
export const handlesIn = (setting: string): string[] =>
  setting
    .split(/[\s,]+/)
    .map((one) => one.replace(/^@/, ''))
    .filter(Boolean)
    .slice(0, 100)
