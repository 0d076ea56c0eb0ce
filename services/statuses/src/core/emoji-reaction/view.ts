/** Emoji reactions as JSON, with the member names of Pleroma, Akkoma and Fedibird. */
import type { AccountRelationship } from '@murmuration/contracts/accounts'
import type { EmojiReaction } from '@murmuration/contracts/entities'
import type { Reactions } from './store.js'

/** Relationship of the viewer to each account. An account without an entry is hidden. */
type Relationships = ReadonlyMap<string, AccountRelationship>

const isHidden = (viewer: string | null, relationships: Relationships, account: string): boolean => {
  if (viewer === null || account === viewer) return false
  const relationship = relationships.get(account)
  return (
    !relationship ||
    relationship.blocking ||
    relationship.blocked_by ||
    relationship.muting ||
    relationship.domain_blocking
  )
}

/** Ids of all listed accounts, whose relationship to the viewer must be loaded. */
export const reactorsIn = (reactions: Iterable<readonly Reactions[]>): string[] => [
  ...new Set([...reactions].flatMap((all) => all.flatMap((one) => one.accounts))),
]

/**
 * Emoji reactions for a viewer; null means anonymous. Accounts that the viewer blocks or mutes, or that block the
 * viewer, are not listed. These accounts are subtracted from the count only if they are among the listed accounts, the
 * first ten of an emoji.
 */
export const emojiReactions = (
  reactions: readonly Reactions[],
  viewer: string | null,
  relationships: Relationships,
): EmojiReaction[] =>
  reactions.flatMap(({ name, domain, url, static_url, count, accounts }) => {
    const shown = accounts.filter((one) => !isHidden(viewer, relationships, one))
    const counted = count - (accounts.length - shown.length)
    if (counted < 1) return []
    const picture = url === null ? {} : { url, static_url: static_url ?? url, domain }
    return { name, count: counted, me: viewer !== null && shown.includes(viewer), ...picture, account_ids: shown }
  })
