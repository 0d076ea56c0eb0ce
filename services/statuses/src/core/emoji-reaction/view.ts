/** Emoji reactions as JSON, by the names that clients of Pleroma, Akkoma and Fedibird know. */
import type { Standing } from '@murmuration/contracts/accounts'
import type { EmojiReaction } from '@murmuration/contracts/entities'
import type { Reactions } from './store.js'

/** How the viewer stands to accounts; one who is not in it is hidden. */
type Standings = ReadonlyMap<string, Standing>

const isHidden = (viewer: string | null, standings: Standings, account: string): boolean => {
  if (viewer === null || account === viewer) return false
  const standing = standings.get(account)
  return !standing || standing.blocking || standing.blocked_by || standing.muting || standing.domain_blocking
}

/** Accounts whose standing decides what is shown. */
export const reactorsIn = (reactions: Iterable<readonly Reactions[]>): string[] => [
  ...new Set([...reactions].flatMap((all) => all.flatMap((one) => one.accounts))),
]

/**
 * The list for a viewer (null: anonymous). Accounts that they block or mute, and those that block them, are not listed. They are
 * not counted either, as far as they are among the first ten accounts of an emoji.
 */
export const emojiReactions = (
  reactions: readonly Reactions[],
  viewer: string | null,
  standings: Standings,
): EmojiReaction[] =>
  reactions.flatMap(({ name, domain, url, static_url, count, accounts }) => {
    const shown = accounts.filter((one) => !isHidden(viewer, standings, one))
    const counted = count - (accounts.length - shown.length)
    if (counted < 1) return []
    const picture = url === null ? {} : { url, static_url: static_url ?? url, domain }
    return { name, count: counted, me: viewer !== null && shown.includes(viewer), ...picture, account_ids: shown }
  })
