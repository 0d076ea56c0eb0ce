/** Follows between the listeners of a stream and the authors in a status, for quote policies that depend on them. */
import { authorFacts, type Standing } from '@murmuration/contracts/accounts'
import { loadInChunks } from '@murmuration/flow'
import type { Context } from '../context.js'
import { dependsOnFollows } from '../core/quote/rules.js'
import type { State } from '../core/render/state.js'

/** Whether a listener follows an author, and whether the author follows the listener. */
export type FollowOf = Pick<Standing, 'following' | 'followed_by'>
/** Follows by listener, then by author. */
type Follows = ReadonlyMap<string, ReadonlyMap<string, FollowOf>>

/** Follows between listeners and the authors whose quote policy depends on follows. For most statuses, no request is sent. */
export const followsFor = async (ctx: Context, state: State, listeners: readonly string[]): Promise<Follows> => {
  const open = [...state.facts.values()].filter((fact) => dependsOnFollows(fact.quote_policy))
  const authors = [...new Set(open.map((fact) => fact.author_id))]
  const found = await Promise.all(
    authors.map((author) =>
      loadInChunks(listeners, 1_000, async (viewers) => {
        const { standings } = await ctx.call(authorFacts, { author, viewers: [...viewers] })
        return new Map(Object.entries(standings))
      }),
    ),
  )
  const follows = new Map<string, Map<string, Standing>>()
  for (const [i, author] of authors.entries())
    for (const [listener, standing] of found[i] ?? [])
      if (standing.following || standing.followed_by)
        follows.set(listener, (follows.get(listener) ?? new Map<string, Standing>()).set(author, standing))
  return follows
}
