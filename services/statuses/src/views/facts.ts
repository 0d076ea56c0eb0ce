/** Facts of a page: what a revision fixes comes from memory, what may have changed is read fresh, each time. */
import { LRUCache } from 'lru-cache'
import type { Context } from '../context.js'
import { type Fact, type Fixed, factsOf, freshOf } from '../store/fact.js'

/** Fixed parts by id; the newest revision that was read. */
export type KnownFixed = LRUCache<string, Fixed>

export const createKnownFixed = (): KnownFixed => new LRUCache({ max: 20_000 })

const fixedOf = (fact: Fact): Fixed => ({
  id: fact.id,
  rev: fact.rev,
  author_id: fact.author_id,
  local: fact.local,
  uri: fact.uri,
  visibility: fact.visibility,
  reblog_of_id: fact.reblog_of_id,
  reblog_of_author_id: fact.reblog_of_author_id,
  in_reply_to_id: fact.in_reply_to_id,
  in_reply_to_author_id: fact.in_reply_to_author_id,
  in_reply_to_account_id: fact.in_reply_to_account_id,
  is_reply: fact.is_reply,
  listed: fact.listed,
  conversation_id: fact.conversation_id,
  media_ids: fact.media_ids,
  tags: fact.tags,
  poll_id: fact.poll_id,
  sensitive: fact.sensitive,
  language: fact.language,
  application: fact.application,
  mentions: fact.mentions,
})

/** The status and what it boosts, as far as all of that is known; else null. */
const knownWith = (known: KnownFixed, id: string): Fixed[] | null => {
  const fixed = known.get(id)
  if (!fixed) return null
  if (fixed.reblog_of_id === null) return [fixed]
  const original = known.get(fixed.reblog_of_id)
  return original ? [fixed, original] : null
}

type Needs = Pick<Context, 'db' | 'knownFixed'>

const readWhole = async (ctx: Needs, viewer: string | null, ids: readonly string[]): Promise<Map<string, Fact>> => {
  const facts = await factsOf(ctx.db, viewer, ids)
  for (const fact of facts.values()) ctx.knownFixed.set(fact.id, fixedOf(fact))
  return facts
}

/**
 * Facts by id, of these statuses and of the originals that they boost; what is deleted or unknown is absent. One query
 * when all are known, or none; two when some are new here, three when some were edited as well.
 */
export const pageFacts = async (
  ctx: Needs,
  viewer: string | null,
  ids: readonly string[],
): Promise<Map<string, Fact>> => {
  const known = new Map<string, Fixed>()
  const unknown: string[] = []
  for (const id of ids) {
    const found = knownWith(ctx.knownFixed, id)
    if (found) for (const fixed of found) known.set(fixed.id, fixed)
    else unknown.push(id)
  }
  const [fresh, facts] = await Promise.all([
    freshOf(ctx.db, viewer, [...known.values()]),
    readWhole(ctx, viewer, unknown),
  ])
  const edited: string[] = []
  for (const [id, row] of fresh) {
    const fixed = known.get(id)
    if (fixed?.rev === row.rev) facts.set(id, { ...fixed, ...row })
    else edited.push(id)
  }
  for (const [id, fact] of await readWhole(ctx, viewer, edited)) facts.set(id, fact)
  return facts
}
