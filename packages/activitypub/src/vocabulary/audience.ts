/** Converts the addressing of remote statuses to a visibility, and the visibility of local statuses to addressing. */

import type { Addressing } from './addresses.js'
import { isPublic, publicCollection, type Uri } from './uri.js'

/** Visibility of a status. `limited`: addressed to local accounts that it does not mention, which may see it and get no notification. */
export type Visibility = 'public' | 'unlisted' | 'private' | 'direct' | 'limited'

export type Audience = {
  readonly visibility: Visibility
  /** Ids of local accounts that are addressed without a mention. These accounts may see the status, and get no notification. */
  readonly silent: readonly Uri[]
}

/**
 * Visibility and silent mentions of a remote status.
 *
 * | Addressing | Visibility |
 * |---|---|
 * | public collection in `to` | `public` |
 * | public collection in `cc` | `unlisted` |
 * | followers of the author | `private` |
 * | local accounts without a mention | `limited` |
 * | any other, or none | `direct` |
 */
export const audienceOf = (
  addressing: Addressing,
  known: {
    /** Stored URI of the author's followers collection; null if none is stored. */
    followers: Uri | null
    /** Returns true if an address is the id of a local account. */
    isLocalAccount: (uri: Uri) => boolean
    /** Actor ids that the status mentions. */
    mentioned: ReadonlySet<string>
  },
): Audience => {
  const addressed = [...addressing.to, ...addressing.cc]
  const silent = [...new Set(addressed)].filter((it) => known.isLocalAccount(it) && !known.mentioned.has(it))
  return { visibility: visibilityOf(addressing, known.followers, silent), silent }
}

const visibilityOf = ({ to, cc }: Addressing, followers: Uri | null, silent: readonly Uri[]): Visibility => {
  if (to.some(isPublic)) return 'public'
  if (cc.some(isPublic)) return 'unlisted'
  if (followers !== null && (to.includes(followers) || cc.includes(followers))) return 'private'
  return silent.length === 0 ? 'direct' : 'limited'
}

/**
 * Addressing (`to` and `cc`) of a local status or reblog. Duplicates in `mentioned` are removed.
 *
 * `mentioned`: ids of the mentioned actors, and of the followers of mentioned groups; for a reblog, the original
 * author.
 */
export const addressingFor = (
  visibility: Visibility,
  who: { followers: string; mentioned: readonly string[] },
): { to: string[]; cc: string[] } => {
  const mentioned = [...new Set(who.mentioned)]
  switch (visibility) {
    case 'public':
      return { to: [publicCollection], cc: [who.followers, ...mentioned] }
    case 'unlisted':
      return { to: [who.followers], cc: [publicCollection, ...mentioned] }
    case 'private':
      return { to: [who.followers], cc: mentioned }
    default:
      return { to: mentioned, cc: [] }
  }
}
