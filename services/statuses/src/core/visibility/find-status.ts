/**
 * Loads the status of a request and checks whether the viewer may see it. A hidden status and a missing one give the
 * same response, after the same statements and requests, so that timing does not distinguish them.
 */
import type { AccountRelationship } from '@murmuration/contracts/accounts'
import { type Failure, notFound } from '@murmuration/contracts/kit'
import type { Context } from '../../context.js'
import { loadMissingAuthors } from '../render/hydrate.js'
import { type Fact, factsOf } from '../viewer/fact.store.js'
import { relationshipsOf } from '../viewer/relationships.js'
import { isVisible } from './shown.js'

/** An id that no row has. `NO_ID` replaces the status or author that a lookup did not find. */
export const NO_ID = '0'

/** Error with the text that clients know for everything below `/statuses/:id`. */
export const noStatus = (): Failure => notFound('Not Found')

export interface Found {
  fact: Fact
  /** The original of a boost, otherwise the status itself. */
  original: Fact
  /** Relationship of the viewer to the author of `original`. */
  relationship: AccountRelationship | undefined
  visible: boolean
}

/**
 * Ids of the authors of these facts for `relationshipsOf`. A missing status counts as one by `NO_ID`, so that the same
 * request is sent for it.
 */
export const authorsOf = (facts: readonly (Pick<Fact, 'author_id'> | undefined)[]): string[] =>
  facts.map((fact) => fact?.author_id ?? NO_ID)

/** A status with its visibility for a viewer; null if it does not exist. */
export const findStatus = async (ctx: Context, viewerId: string | null, id: string): Promise<Found | null> => {
  const facts = await factsOf(ctx.db, viewerId, [id])
  const fact = facts.get(id)
  const original = fact?.reblog_of_id ? facts.get(fact.reblog_of_id) : fact
  const relationships = await relationshipsOf(ctx, viewerId, authorsOf([fact, original]))
  if (!fact || !original) return null
  const access = { viewerId, relationships }
  return {
    fact,
    original,
    relationship: relationships.get(original.author_id),
    visible: isVisible(access, fact) && isVisible(access, original),
  }
}

/** A status that the viewer may see. Throws if the status is missing or hidden. */
export const visibleStatus = async (ctx: Context, viewerId: string | null, id: string): Promise<Found> => {
  const found = await findStatus(ctx, viewerId, id)
  if (!found?.visible) throw noStatus()
  return found
}

/** Facts of the statuses that exist and that the viewer may see, and of the originals that they boost. */
export const visibleFacts = async (
  ctx: Context,
  viewerId: string | null,
  ids: readonly string[],
): Promise<{ facts: Map<string, Fact>; relationships: ReadonlyMap<string, AccountRelationship> }> => {
  const facts = await factsOf(ctx.db, viewerId, ids)
  await loadMissingAuthors(ctx, facts)
  const found = ids.map((id) => facts.get(id))
  const relationships = await relationshipsOf(ctx, viewerId, authorsOf([...found, ...facts.values()]))
  const access = { viewerId, relationships }
  const isSeen = (fact: Fact | undefined) => fact !== undefined && isVisible(access, fact)
  const visible = new Map<string, Fact>()
  for (const fact of found) {
    if (!fact || !isSeen(fact)) continue
    const original = fact.reblog_of_id === null ? undefined : facts.get(fact.reblog_of_id)
    if (fact.reblog_of_id !== null && !isSeen(original)) continue
    visible.set(fact.id, fact)
    if (original) visible.set(original.id, original)
  }
  return { facts: visible, relationships }
}

/** Ids of the statuses that exist and that the viewer may see. */
export const visibleAmong = async (ctx: Context, viewerId: string, ids: readonly string[]): Promise<Set<string>> =>
  new Set(ids.length === 0 ? [] : (await visibleFacts(ctx, viewerId, ids)).facts.keys())
