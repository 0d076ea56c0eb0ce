/**
 * Loads the follows between the listeners of a stream and the authors in a status, on which some quote policies depend.
 */

import { type AccountRelationship, listRelationshipsToAuthor } from '@murmuration/contracts/accounts'
import { olderNames } from '@murmuration/contracts/kit'
import { loadInChunks } from '@murmuration/flow'
import type { Context } from '../context.js'
import { dependsOnFollows } from '../core/quote/rules.js'
import type { State } from '../core/render/state.js'

/** Whether a listener follows an author, and whether the author follows the listener. */
export type FollowOf = Pick<AccountRelationship, 'following' | 'followed_by'>
/** Follow state by the id of the listener, then by the id of the author. */
type Follows = ReadonlyMap<string, ReadonlyMap<string, FollowOf>>

/** Follows between listeners and the authors whose quote policy depends on follows. For most statuses, no request is sent. */
export const followsFor = async (ctx: Context, state: State, listeners: readonly string[]): Promise<Follows> => {
  const open = [...state.statuses.values()].filter((status) => dependsOnFollows(status.quote_policy))
  const authors = [...new Set(open.map((status) => status.author_id))]
  const found = await Promise.all(
    authors.map((author) =>
      loadInChunks(listeners, 1_000, async (viewers) => {
        const { [olderNames.relationships]: relationships } = await ctx.call(listRelationshipsToAuthor, {
          author,
          viewers: [...viewers],
        })
        return new Map(Object.entries(relationships))
      }),
    ),
  )
  const follows = new Map<string, Map<string, AccountRelationship>>()
  for (const [i, author] of authors.entries())
    for (const [listener, relationship] of found[i] ?? [])
      if (relationship.following || relationship.followed_by)
        follows.set(
          listener,
          (follows.get(listener) ?? new Map<string, AccountRelationship>()).set(author, relationship),
        )
  return follows
}
