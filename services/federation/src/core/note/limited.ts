/** Removes mentions from statuses of limited local accounts if the mentioned account does not follow the author. */

import { listRelationshipsOfViewers } from '@murmuration/contracts/accounts'
import { olderNames } from '@murmuration/contracts/kit'
import type { NoteData } from '@murmuration/contracts/statuses'
import type { Context } from '../../context.js'
import type { AccountsById } from './view.js'

/** Ids of the accounts that each author mentions, by author id. Silent mentions, which send no notification, are left out. */
const namedBy = (sources: readonly NoteData[]): Record<string, string[]> =>
  Object.fromEntries(
    [...Map.groupBy(sources, (it) => it.author)].map(([author, own]) => {
      const loud = own.flatMap((it) => it.mention_accounts.filter(({ silent }) => !silent))
      return [author, [...new Set(loud.map(({ id }) => id))]]
    }),
  )

/**
 * Returns the statuses. Mentions by limited authors are removed if the mentioned account does not follow the author.
 *
 * An unknown relationship counts as not following. Silent mentions are never removed.
 */
export const withoutFurtherMentions = async (
  ctx: Pick<Context, 'call'>,
  sources: readonly NoteData[],
  accounts: AccountsById,
): Promise<NoteData[]> => {
  const isLimited = (it: NoteData): boolean => accounts.get(it.author)?.silenced === true
  const targetsByViewer = namedBy(sources.filter((it) => isLimited(it) && it.mention_accounts.length > 0))
  if (Object.keys(targetsByViewer).length === 0) return [...sources]
  const { [olderNames.relationships]: relationships } = await ctx.call(listRelationshipsOfViewers, {
    asked: targetsByViewer,
  })
  return sources.map((it) => {
    if (!isLimited(it)) return it
    const follows = (id: string): boolean => relationships[it.author]?.[id]?.followed_by === true
    return { ...it, mention_accounts: it.mention_accounts.filter(({ id, silent }) => silent || follows(id)) }
  })
}
