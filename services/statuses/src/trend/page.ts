/** Renders pages of trends for the public, and with review state for staff. */
import { splice } from '@murmuration/cards'
import { postingDefaults } from '@murmuration/contracts/accounts'
import type { Status, Tag, TrendsLink } from '@murmuration/contracts/entities'
import { type Json, jsonArray, type Reply, reply, toJson, type Viewer } from '@murmuration/contracts/kit'
import { requireLoaded } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { previewsFor, previewText } from '../core/preview-card/previews.js'
import { showStatuses } from '../core/render/show-status.js'
import { historyOf, lastDays } from '../core/tag/rules.js'
import { showTags } from '../core/tag/show.js'
import { tagsById } from '../core/tag/store.js'
import { usedDays } from '../core/tag/used-day.store.js'
import { relationshipsOf } from '../core/viewer/relationships.js'
import { isHidden } from '../core/visibility/place.rules.js'
import { adjacentOffsets, preferredLanguages, type TrendKind } from './rules.js'
import { reviewsOf, trendAuthors, trendIds } from './store.js'

type Texts = Map<string, Json<unknown>>

const linkTexts = async (ctx: Context, viewerId: string | null, ids: readonly string[]): Promise<Texts> => {
  const now = ctx.clock.now()
  const [seen, shares] = await Promise.all([
    previewsFor(
      ctx,
      ids.map((preview_id) => ({ preview_id })),
    ),
    usedDays(ctx.db, 'preview', ids, lastDays(now)),
  ])
  return new Map(
    [...seen].map(([id, one]) => [
      id,
      splice<TrendsLink>(previewText(one, one.row.url, viewerId) as Json<unknown>, {
        history: JSON.stringify(historyOf(shares.get(id) ?? [], now)),
      }),
    ]),
  )
}

const tagTexts = async (ctx: Context, viewerId: string | null, ids: readonly string[]): Promise<Texts> => {
  const tags = await showTags(ctx, viewerId, await tagsById(ctx.db, ids))
  return new Map(tags.map((tag) => [tag.id, toJson<Tag>(tag)]))
}

const textsOf = (ctx: Context, kind: TrendKind, viewerId: string | null, ids: readonly string[]): Promise<Texts> => {
  if (kind === 'tag') return tagTexts(ctx, viewerId, ids)
  return kind === 'link' ? linkTexts(ctx, viewerId, ids) : showStatuses(ctx, viewerId, ids, 'public')
}

/** Authors of trending statuses that are hidden from the viewer by blocks or mutes. */
const hiddenAuthors = async (ctx: Context, viewerId: string | null, byDefault: boolean): Promise<string[]> => {
  if (viewerId === null) return []
  const authors = await trendAuthors(ctx.db, byDefault)
  const relationships = await relationshipsOf(ctx, viewerId, authors)
  return authors.filter((authorId) =>
    isHidden(
      'public',
      viewerId,
      { authorId, authorSilenced: false, reblogOfAuthorId: null, mentions: [] },
      relationships,
    ),
  )
}

interface Asked {
  viewer: Viewer | null
  /** Language of the request; empty if unknown. */
  locale: string
  limit: number
  offset: number
}

/** Headers that keep caches from reusing a response for another language. */
const HEADERS = { Vary: 'Authorization, Origin, Accept-Language' }

/** One page of trending tags, links or statuses, as the public sees them. */
export const trendPage = async <T extends Tag | TrendsLink | Status>(
  ctx: Context,
  kind: TrendKind,
  { viewer, locale, limit, offset }: Asked,
): Promise<Reply<T[]>> => {
  requireLoaded(ctx.policy)
  const settings = ctx.policy.settings()
  if (!settings.trends || limit === 0) return reply(jsonArray<T>([]), { headers: HEADERS })
  const viewerId = viewer?.id ?? null
  const byDefault = settings.trendable_by_default
  const [chosen, without] = await Promise.all([
    viewerId === null ? null : ctx.call(postingDefaults, { id: viewerId }).then((one) => one.chosen_languages),
    kind === 'status' ? hiddenAuthors(ctx, viewerId, byDefault) : [],
  ])
  const ids = await trendIds(ctx.db, kind, {
    allowed: { byDefault },
    languages: preferredLanguages(chosen, locale),
    without,
    limit,
    offset,
  })
  const texts = await textsOf(ctx, kind, viewerId, ids)
  const { next, prev } = adjacentOffsets({ limit, offset }, ids.length)
  return reply(jsonArray(ids.flatMap((id) => (texts.get(id) as Json<T> | undefined) ?? [])), {
    headers: HEADERS,
    next: next === null ? undefined : { offset: String(next) },
    prev: prev === null ? undefined : { offset: String(prev) },
  })
}

/** AdminTag, AdminTrendsLink or AdminTrendsStatus JSON, in the order of the ids. */
export const reviewedTexts = async (
  ctx: Context,
  kind: TrendKind,
  viewerId: string,
  ids: readonly string[],
): Promise<string[]> => {
  const [texts, reviews] = await Promise.all([textsOf(ctx, kind, viewerId, ids), reviewsOf(ctx.db, kind, ids)])
  const byDefault = ctx.policy.settings().trendable_by_default
  return ids.flatMap((id) => {
    const [text, review] = [texts.get(id), reviews.get(id)]
    if (text === undefined || review === undefined) return []
    return splice(text, {
      ...(kind === 'link' ? { id: JSON.stringify(id) } : {}),
      ...(kind === 'tag'
        ? {
            trendable: String(review.trendable ?? byDefault),
            usable: String(review.usable),
            listable: String(review.listable),
          }
        : {}),
      requires_review: String(!review.reviewed),
    })
  })
}
