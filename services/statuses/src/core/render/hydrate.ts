/**
 * Loads everything that a page of statuses needs, in batches: first facts and quotes, then everything they refer to
 * concurrently.
 */
import { type AccountRelationship, collectionCards } from '@murmuration/contracts/accounts'
import { loadInChunks } from '@murmuration/flow'
import type { Context } from '../../context.js'
import { linkedCollections } from '../address/rules.js'
import { insertMissingAuthors } from '../author/store.js'
import { cardName, namedAccountsOf } from '../card/cards.js'
import { type Reactions, reactionsOn } from '../emoji-reaction/store.js'
import { reactorsIn } from '../emoji-reaction/view.js'
import { compared } from '../filter/filtered.js'
import { choicesOf, pollsOf } from '../poll/store.js'
import type { SeenPoll } from '../poll/view.js'
import { previewsFor } from '../preview-card/previews.js'
import { type QuoteRow, quotesAndNestedQuotes } from '../quote/store.js'
import type { Fact } from '../viewer/fact.store.js'
import { pageFacts } from '../viewer/facts.js'
import { relationshipsOf } from '../viewer/relationships.js'
import { type Place, type Placed, subjectsOf } from '../visibility/place.rules.js'
import type { State } from './state.js'

/** The facts from which `core/visibility/place.rules.ts` decides whether a place (home, list, search, …) shows a status. */
export const placeFacts = (fact: Fact): Placed => ({
  authorId: fact.author_id,
  authorSilenced: fact.silenced !== false,
  reblogOfAuthorId: fact.reblog_of_author_id,
  mentions: fact.mentions,
})

/** Loads and stores the flags of authors that are not stored yet. */
export const loadMissingAuthors = async (ctx: Context, facts: ReadonlyMap<string, Fact>): Promise<void> => {
  const unknown = [...facts.values()].filter((fact) => fact.suspended === null)
  if (unknown.length === 0) return
  const accounts = await namedAccountsOf(
    ctx.call,
    unknown.map((fact) => fact.author_id),
  )
  await insertMissingAuthors(ctx.db, [...accounts.values()])
  for (const fact of unknown) {
    const person = accounts.get(fact.author_id)
    if (!person) continue
    fact.suspended = person.suspended
    fact.silenced = person.silenced
    fact.sensitized = person.sensitized
    fact.domain = person.domain
    fact.shows_application = true
  }
}

/** Polls by id, with the viewer's choices. Pages without polls cause no query. */
const pollsFor = async (
  ctx: Context,
  viewerId: string | null,
  ids: readonly string[],
): Promise<Map<string, SeenPoll>> => {
  if (ids.length === 0) return new Map()
  const [rows, choices] = await Promise.all([
    pollsOf(ctx.db, ids),
    viewerId === null ? new Map<string, number[]>() : choicesOf(ctx.db, viewerId, ids),
  ])
  return new Map([...rows].map(([id, row]) => [id, { row, choices: choices.get(id) ?? [] }]))
}

/** Compiled filters of the viewer, at the revision in the facts. Null for viewers without filters. */
const filterEvaluatorFor = async (ctx: Context, viewerId: string | null, fact: Fact | undefined) =>
  viewerId === null || !fact || fact.filter_rev === null ? null : ctx.filterSets.at(viewerId, fact.filter_rev)

/** Quotes of the statuses, two levels deep. Facts of the quoted statuses are added to `facts`. */
const quotesFor = async (
  ctx: Context,
  viewerId: string | null,
  facts: Map<string, Fact>,
): Promise<Map<string, QuoteRow>> => {
  const quoting = [...facts.values()].filter((fact) => fact.has_quote).map((fact) => fact.id)
  const quotes = await quotesAndNestedQuotes(ctx.db, quoting)
  const missing = [...quotes.values()].flatMap(({ quoted_id: id }) => (id !== null && !facts.has(id) ? [id] : []))
  for (const [id, fact] of await pageFacts(ctx, viewerId, missing)) facts.set(id, fact)
  return quotes
}

/** Cards of the collections that statuses link, by status. Pages without such links cause no request. */
const collectionsFor = async (
  ctx: Context,
  viewer: string | null,
  facts: Iterable<Fact>,
  cards: State['cards'],
): Promise<State['collections']> => {
  const linked = [...facts].flatMap((fact) => {
    const ids = linkedCollections(ctx.site.origin, cards.get(cardName(fact)) ?? '')
    return ids.length > 0 ? [[fact.id, ids] as const] : []
  })
  const all = [...new Set(linked.flatMap(([, ids]) => ids))]
  const found = await loadInChunks(all, 200, (ids) => ctx.call(collectionCards, { viewer, ids }))
  return new Map(linked.map(([id, ids]) => [id, ids.flatMap((one) => found.get(one) ?? [])]))
}

/** Emoji reactions by status. If no status of the page has emoji reactions, no query is sent. */
const reactionsFor = async (ctx: Context, facts: readonly Fact[]): Promise<State['reactions']> => {
  const ids = facts.filter((fact) => fact.reactions > 0).map((fact) => fact.id)
  const found = new Map<string, Reactions[]>()
  for (const one of ids.length > 0 ? await reactionsOn(ctx.db, ids) : [])
    found.set(one.status_id, [...(found.get(one.status_id) ?? []), one])
  return found
}

/** Relationships of the viewer to accounts. Relationships that are in `known` are not requested. */
const relationshipsBeside = async (
  ctx: Context,
  viewerId: string | null,
  known: State['relationships'] = new Map(),
  ids: readonly string[],
): Promise<State['relationships']> => {
  const found = await relationshipsOf(
    ctx,
    viewerId,
    ids.filter((id) => !known.has(id)),
  )
  return new Map([...known, ...found])
}

/** Parts of a page that the caller has loaded. */
export interface PreloadedParts {
  /** Facts of every status of the page. */
  facts?: Map<string, Fact>
  relationships?: ReadonlyMap<string, AccountRelationship>
}

/** Loads a page for a viewer; null means anonymous. Parts that the caller passes are not loaded again. */
export const hydrate = async (
  ctx: Context,
  viewerId: string | null,
  ids: readonly string[],
  place: Place,
  given?: PreloadedParts,
): Promise<State> => {
  const facts = given?.facts ?? (await pageFacts(ctx, viewerId, ids))
  const quotes = await quotesFor(ctx, viewerId, facts)
  await loadMissingAuthors(ctx, facts)
  const all = [...facts.values()]
  const reactions = await reactionsFor(ctx, all)
  const [cards, accounts, media, previews, relationships, polls, evaluate] = await Promise.all([
    ctx.statusCards.many(all.map(cardName)),
    ctx.accountCards.many(all.map((fact) => fact.author_id)),
    ctx.mediaCards.many(all.flatMap((fact) => fact.media_ids)),
    previewsFor(ctx, all),
    relationshipsBeside(ctx, viewerId, given?.relationships, [
      ...all.flatMap((fact) => subjectsOf(place, placeFacts(fact))),
      ...reactorsIn(reactions.values()),
    ]),
    pollsFor(
      ctx,
      viewerId,
      all.flatMap((fact) => fact.poll_id ?? []),
    ),
    filterEvaluatorFor(ctx, viewerId, all[0]),
  ])
  const collections = await collectionsFor(ctx, viewerId, all, cards)
  const now = ctx.clock.now()
  const filtered = evaluate && compared({ facts, cards, media, polls, quotes }, ctx.filterSets.plain)(evaluate, now)
  const parts = { cards, accounts, media, relationships, polls, quotes, reactions, collections, previews, filtered }
  return { viewerId, place, facts, ...parts, now }
}
