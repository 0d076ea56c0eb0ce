/**
 * Loads everything that a page of statuses needs, in batches: first statuses and quotes, then everything they refer to
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
import { loadPageOfStatuses } from '../viewer/loaded-status.js'
import type { LoadedStatus } from '../viewer/loaded-status.store.js'
import { relationshipsOf } from '../viewer/relationships.js'
import { type Place, type Placed, subjectsOf } from '../visibility/place.rules.js'
import type { State } from './state.js'

/** The columns by which `core/visibility/place.rules.ts` decides whether a place (home, list, search, …) shows a status. */
export const asPlaced = (status: LoadedStatus): Placed => ({
  authorId: status.author_id,
  authorSilenced: status.silenced !== false,
  reblogOfAuthorId: status.reblog_of_author_id,
  mentions: status.mentions,
})

/** Loads and stores the flags of authors that are not stored yet. */
export const loadMissingAuthors = async (ctx: Context, statuses: ReadonlyMap<string, LoadedStatus>): Promise<void> => {
  const unknown = [...statuses.values()].filter((status) => status.suspended === null)
  if (unknown.length === 0) return
  const accounts = await namedAccountsOf(
    ctx.call,
    unknown.map((status) => status.author_id),
  )
  await insertMissingAuthors(ctx.db, [...accounts.values()])
  for (const status of unknown) {
    const person = accounts.get(status.author_id)
    if (!person) continue
    status.suspended = person.suspended
    status.silenced = person.silenced
    status.sensitized = person.sensitized
    status.domain = person.domain
    status.shows_application = true
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

/** Compiled filters of the viewer, at the revision in the loaded status. Null for viewers without filters. */
const filterEvaluatorFor = async (ctx: Context, viewerId: string | null, status: LoadedStatus | undefined) =>
  viewerId === null || !status || status.filter_rev === null ? null : ctx.filterSets.at(viewerId, status.filter_rev)

/** Quotes of the statuses, two levels deep. The quoted statuses are added to `statuses`. */
const quotesFor = async (
  ctx: Context,
  viewerId: string | null,
  statuses: Map<string, LoadedStatus>,
): Promise<Map<string, QuoteRow>> => {
  const quoting = [...statuses.values()].filter((status) => status.has_quote).map((status) => status.id)
  const quotes = await quotesAndNestedQuotes(ctx.db, quoting)
  const missing = [...quotes.values()].flatMap(({ quoted_id: id }) => (id !== null && !statuses.has(id) ? [id] : []))
  for (const [id, status] of await loadPageOfStatuses(ctx, viewerId, missing)) statuses.set(id, status)
  return quotes
}

/** Cards of the collections that statuses link, by status. Pages without such links cause no request. */
const collectionsFor = async (
  ctx: Context,
  viewer: string | null,
  statuses: Iterable<LoadedStatus>,
  cards: State['cards'],
): Promise<State['collections']> => {
  const linked = [...statuses].flatMap((status) => {
    const ids = linkedCollections(ctx.site.origin, cards.get(cardName(status)) ?? '')
    return ids.length > 0 ? [[status.id, ids] as const] : []
  })
  const all = [...new Set(linked.flatMap(([, ids]) => ids))]
  const found = await loadInChunks(all, 200, (ids) => ctx.call(collectionCards, { viewer, ids }))
  return new Map(linked.map(([id, ids]) => [id, ids.flatMap((one) => found.get(one) ?? [])]))
}

/** Emoji reactions by status. If no status of the page has emoji reactions, no query is sent. */
const reactionsFor = async (ctx: Context, statuses: readonly LoadedStatus[]): Promise<State['reactions']> => {
  const ids = statuses.filter((status) => status.reactions > 0).map((status) => status.id)
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
  /** Every status of the page, as loaded. */
  statuses?: Map<string, LoadedStatus>
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
  const statuses = given?.statuses ?? (await loadPageOfStatuses(ctx, viewerId, ids))
  const quotes = await quotesFor(ctx, viewerId, statuses)
  await loadMissingAuthors(ctx, statuses)
  const all = [...statuses.values()]
  const reactions = await reactionsFor(ctx, all)
  const [cards, accounts, media, previews, relationships, polls, evaluate] = await Promise.all([
    ctx.statusCards.many(all.map(cardName)),
    ctx.accountCards.many(all.map((status) => status.author_id)),
    ctx.mediaCards.many(all.flatMap((status) => status.media_ids)),
    previewsFor(ctx, all),
    relationshipsBeside(ctx, viewerId, given?.relationships, [
      ...all.flatMap((status) => subjectsOf(place, asPlaced(status))),
      ...reactorsIn(reactions.values()),
    ]),
    pollsFor(
      ctx,
      viewerId,
      all.flatMap((status) => status.poll_id ?? []),
    ),
    filterEvaluatorFor(ctx, viewerId, all[0]),
  ])
  const collections = await collectionsFor(ctx, viewerId, all, cards)
  const now = ctx.clock.now()
  const filtered = evaluate && compared({ statuses, cards, media, polls, quotes }, ctx.filterSets.plain)(evaluate, now)
  const parts = { cards, accounts, media, relationships, polls, quotes, reactions, collections, previews, filtered }
  return { viewerId, place, statuses, ...parts, now }
}
