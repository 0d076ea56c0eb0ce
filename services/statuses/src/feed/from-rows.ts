/**
 * Builds feeds from rows by the same decision as fan-out, for accounts that return after an absence, and while Redis is
 * unavailable.
 */
import { type AccountRelationship, followees, postingDefaults } from '@murmuration/contracts/accounts'
import { limits } from '@murmuration/contracts/limits'
import type { Context } from '../context.js'
import { relationshipsOf } from '../core/viewer/relationships.js'
import { visibilityOf } from '../core/visibility/rules.js'
import { type Candidate, candidates } from './candidate.store.js'
import { withoutRepeatedBoosts } from './order.rules.js'
import { type FeedStatus, placesFor, type Receiver } from './rules.js'
import type { Entry } from './store.js'
import { receivesByTag } from './tag.rules.js'
import { tagCandidates } from './tag-candidate.store.js'

/** A feed: the home feed of an account, or one of its lists. */
export interface FeedOf {
  viewerId: string
  list: string | null
}

interface Sources {
  /** Preferences of the viewer for each author: boosts, languages, and whether the author is in an exclusive list. */
  wishes: ReadonlyMap<string, { reblogs: boolean; languages: string[] | null; exclusive: boolean }>
  replies: 'list' | 'followed' | 'none'
  /** Accounts that the viewer follows; for a list, its members. */
  authors: string[]
  follows: ReadonlySet<string>
  /** True if the feed hides repeated boosts of the same status. */
  aggregates: boolean
}

const sourcesOf = async (ctx: Context, { viewerId, list }: FeedOf): Promise<Sources> => {
  const [followed, listed, preferences] = await Promise.all([
    ctx.call(followees, { id: viewerId }),
    list === null ? null : ctx.call(followees, { id: viewerId, list }),
    ctx.call(postingDefaults, { id: viewerId }),
  ])
  const source = listed ?? followed
  const authors = source.followees.map((one) => one.id)
  return {
    wishes: new Map(source.followees.map((one) => [one.id, one])),
    replies: listed?.replies ?? 'none',
    authors: list === null ? [viewerId, ...authors] : authors,
    follows: new Set(followed.followees.map((one) => one.id)),
    aggregates: preferences.aggregate_reblogs,
  }
}

const asFeedStatus = (one: Candidate): FeedStatus => ({
  id: one.id,
  authorId: one.author_id,
  visibility: visibilityOf(one.visibility),
  language: one.language,
  isReply: one.is_reply,
  inReplyToAccountId: one.in_reply_to_account_id,
  mentions: one.mentions,
  original:
    one.reblog_of_id === null
      ? null
      : { id: one.reblog_of_id, authorId: one.reblog_of_author_id ?? '0', mentions: one.original_mentions },
})

const receiverOf = (
  { viewerId, list }: FeedOf,
  sources: Sources,
  status: FeedStatus,
  relationships: ReadonlyMap<string, AccountRelationship>,
): Receiver => {
  const wish = sources.wishes.get(status.authorId)
  const parentAuthor = status.inReplyToAccountId ?? ''
  const exclusiveElsewhere = { id: '', exclusive: true, replies: 'none' as const }
  return {
    id: viewerId,
    reblogs: wish?.reblogs ?? true,
    notify: false,
    languages: wish?.languages ?? null,
    lists:
      list !== null
        ? [{ id: list, exclusive: false, replies: sources.replies }]
        : wish?.exclusive
          ? [exclusiveElsewhere]
          : [],
    blockStates: [...relationships].map(([id, relationship]) => ({ id, ...relationship })),
    followsParentAuthor: sources.follows.has(parentAuthor),
    listsOfParentAuthor: list !== null && sources.authors.includes(parentAuthor) ? [list] : [],
  }
}

/**
 * Relationships with a block or mute. Relationships without a block or mute do not change which feeds receive a status.
 */
const blockStatesOf = async (
  ctx: Context,
  viewerId: string,
  found: readonly Candidate[],
): Promise<Map<string, AccountRelationship>> => {
  const named = found.flatMap((one) => [
    one.author_id,
    ...(one.reblog_of_author_id === null ? [] : [one.reblog_of_author_id]),
    ...one.mentions,
    ...one.original_mentions,
  ])
  const relationships = await relationshipsOf(ctx, viewerId, named)
  return new Map(
    [...relationships].filter(([, one]) => one.blocking || one.muting || one.blocked_by || one.domain_blocking),
  )
}

/** Maximum number of statuses read per author. The maximum falls with the number of authors, which bounds the cost of a feed. */
const eachOf = (authors: number): number =>
  Math.max(40, Math.min(limits.feeds.rebuiltPerAccount, Math.floor(100_000 / Math.max(authors, 1))))

interface Found {
  one: Candidate
  /** True if an author of this feed wrote or boosted the status. */
  written: boolean
  /** True if the status has a hashtag that the viewer follows. */
  tagged: boolean
}

/** Statuses of the authors and with followed hashtags, newest first, without duplicates. */
const latest = async (
  ctx: Context,
  feed: FeedOf,
  authors: readonly string[],
  page: { maxId: string | null; sinceId: string | null; limit: number },
  withTags: boolean,
): Promise<Found[]> => {
  const [written, tagged] = await Promise.all([
    candidates(ctx.db, feed.viewerId, authors, { ...page, each: eachOf(authors.length) }),
    withTags ? tagCandidates(ctx.db, feed.viewerId, { ...page, each: eachOf(1) }) : [],
  ])
  const found = new Map<string, Found>(written.map((one) => [one.id, { one, written: true, tagged: false }]))
  for (const one of tagged) found.set(one.id, { one, written: found.has(one.id), tagged: true })
  return [...found.values()].sort((a, b) => (BigInt(a.one.id) > BigInt(b.one.id) ? -1 : 1)).slice(0, page.limit)
}

const belongs = (
  { one, written, tagged }: Found,
  feed: FeedOf,
  sources: Sources,
  relationships: ReadonlyMap<string, AccountRelationship>,
): boolean => {
  if (feed.list === null && one.author_id === feed.viewerId) return true
  const status = asFeedStatus(one)
  const receiver = receiverOf(feed, sources, status, relationships)
  if (tagged && receivesByTag(status, receiver)) return true
  if (!written) return false
  const places = placesFor(status, receiver)
  return feed.list === null ? places.home : places.lists.length > 0
}

/** The newest entries of a feed, newest first, at most `want`. `only`: just the entries of these authors. */
export const feedFromRows = async (
  ctx: Context,
  feed: FeedOf,
  want: number,
  page: { maxId: string | null; sinceId: string | null } = { maxId: null, sinceId: null },
  only: readonly string[] | null = null,
): Promise<Entry[]> => {
  const all = await sourcesOf(ctx, feed)
  const sources = only === null ? all : { ...all, authors: all.authors.filter((id) => only.includes(id)) }
  if (sources.authors.length === 0) return []
  const withTags = feed.list === null && only === null
  const entries: Entry[] = []
  let { maxId } = page
  // Reads older statuses to replace those that the feed decision omits, at most three times.
  for (let round = 0; round < 3 && entries.length < want; round++) {
    const limit = Math.ceil((want - entries.length) * 1.5) + 20
    const found = await latest(ctx, feed, sources.authors, { maxId, sinceId: page.sinceId, limit }, withTags)
    const relationships = await blockStatesOf(
      ctx,
      feed.viewerId,
      found.map(({ one }) => one),
    )
    for (const one of found)
      if (belongs(one, feed, sources, relationships)) entries.push({ id: one.one.id, original: one.one.reblog_of_id })
    if (found.length < limit) break
    maxId = found.at(-1)?.one.id ?? maxId
  }
  return withoutRepeatedBoosts(entries, all.aggregates ? ctx.feedRules.window : 0).slice(0, want)
}
