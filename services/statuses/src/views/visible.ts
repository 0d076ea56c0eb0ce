/** A status as an operation on it needs it: its facts, when the viewer may see it. Hidden and absent are the same answer. */
import type { Standing } from '@murmuration/contracts/accounts'
import { type Failure, notFound } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { type Fact, factsOf } from '../store/fact.js'
import { isVisible } from './rules.js'
import { standingsOf } from './standings.js'

/** The text that clients know for everything below `/statuses/:id`. */
export const noStatus = (): Failure => notFound('Not Found')

export interface Found {
  fact: Fact
  /** Of a boost: the original; otherwise the status itself. */
  proper: Fact
  /** How the viewer stands to the author of `proper`. */
  standing: Standing | undefined
  visible: boolean
}

/** Looks a status up for a viewer, visible or not; null when it does not exist. */
export const findStatus = async (ctx: Context, viewerId: string | null, id: string): Promise<Found | null> => {
  const facts = await factsOf(ctx.db, viewerId, [id])
  const fact = facts.get(id)
  const proper = fact?.reblog_of_id ? facts.get(fact.reblog_of_id) : fact
  if (!fact || !proper) return null
  const standings = await standingsOf(ctx, viewerId, [fact.author_id, proper.author_id])
  const eyes = { viewerId, standings }
  return {
    fact,
    proper,
    standing: standings.get(proper.author_id),
    visible: isVisible(eyes, fact) && isVisible(eyes, proper),
  }
}

/** The same, refusing what the viewer may not see. */
export const visibleStatus = async (ctx: Context, viewerId: string | null, id: string): Promise<Found> => {
  const found = await findStatus(ctx, viewerId, id)
  if (!found?.visible) throw noStatus()
  return found
}

/** Those of the statuses that exist and that the viewer may see. */
export const visibleAmong = async (ctx: Context, viewerId: string, ids: readonly string[]): Promise<Set<string>> => {
  const facts = await factsOf(ctx.db, viewerId, ids)
  const standings = await standingsOf(
    ctx,
    viewerId,
    [...facts.values()].map((fact) => fact.author_id),
  )
  const eyes = { viewerId, standings }
  const isSeen = (fact: Fact | undefined) => fact !== undefined && isVisible(eyes, fact)
  return new Set(
    ids.filter((id) => {
      const fact = facts.get(id)
      return isSeen(fact) && (!fact?.reblog_of_id || isSeen(facts.get(fact.reblog_of_id)))
    }),
  )
}
