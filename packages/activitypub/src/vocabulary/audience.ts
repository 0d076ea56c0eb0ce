/** Visibility of a status: read from the addresses of a remote document, and written into those of a local one. */

import type { Addressing } from './addresses.js'
import { isPublic, publicCollection, type Uri } from './uri.js'

/** `limited` is a status that is addressed to accounts it does not mention: they may see it and are not notified. */
export type Visibility = 'public' | 'unlisted' | 'private' | 'direct' | 'limited'

export type Audience = {
  readonly visibility: Visibility
  /** Local accounts that are addressed without a mention: they may see it and are not notified. */
  readonly silent: readonly Uri[]
}

/**
 * The audience that a foreign document asks for. Everything that is not clearly wider is the narrowest: without any address
 * it is for the owner of the inbox alone.
 */
export const audienceOf = (
  addressing: Addressing,
  known: {
    /** The stored followers collection of the author, null when there is none. */
    followers: Uri | null
    /** True for the id of a local account. */
    isLocalAccount: (uri: Uri) => boolean
    /** The actors the status mentions. */
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
 * The addresses of a document of ours. `mentioned` are actors (and, for a group, its followers as well); for a reblog, put the
 * author of the reblogged status there. Both lists are always there, and hold each address once.
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
