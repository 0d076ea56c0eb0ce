/** Handlers of timelines of public statuses: all, by hashtag, and by link. */
import { postingDefaults } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import { linkTimeline, publicTimeline, tagTimeline } from '@murmuration/contracts/statuses'
import { requireLoaded } from '@murmuration/kernel'
import { normaliseTag } from '@murmuration/text'
import { statusesAt, timelinePage } from '../core/render/pages.js'
import { statusText } from '../core/render/present.js'
import { tagIds } from '../core/tag/store.js'
import { fitsPlace, isAllowed, isLoaded } from '../core/visibility/shown.js'
import { handle } from '../handlers.js'
import { linkKey, linkTimelineIds, trendingPreview } from '../preview-card/index.js'
import { sourcesSelected, sourcesShown } from './rules.js'
import { publicIds, tagIdsPage } from './store.js'

/** Public statuses known to this server, newest first. */
export const publicly = handle(publicTimeline, async (ctx, viewer, { local, remote, only_media, ...page }) => {
  requireLoaded(ctx.policy)
  const settings = ctx.policy.settings()
  const sources = sourcesShown(
    viewer,
    { local: settings.local_live_feed_access, remote: settings.remote_live_feed_access },
    sourcesSelected({ local, remote }),
  )
  const languages = viewer === null ? null : (await ctx.call(postingDefaults, { id: viewer.id })).chosen_languages
  const nothing = !sources.local && !sources.remote
  return timelinePage(ctx, viewer?.id ?? null, page, {
    output: publicTimeline.output,
    skeleton: async (cursor) =>
      nothing ? [] : publicIds(ctx.db, { ...sources, onlyMedia: only_media === true, languages }, cursor),
    hydrate: statusesAt('public'),
    rules: [isLoaded, isAllowed, fitsPlace],
    present: statusText,
  })
})

/** Normalised names of hashtags, at most as many as a condition of the request may have. Further names are ignored. */
const names = (given: readonly string[] | undefined): string[] =>
  (given ?? [])
    .map(normaliseTag)
    .filter((name) => name !== '')
    .slice(0, limits.search.tagNamesPerCondition)

/** Public statuses with a hashtag, newest first. */
export const tag = handle(tagTimeline, async (ctx, viewer, input) => {
  const { hashtag, local, remote, only_media, any, all, none, ...page } = input
  requireLoaded(ctx.policy)
  const settings = ctx.policy.settings()
  const sources = sourcesShown(
    viewer,
    { local: settings.local_topic_feed_access, remote: settings.remote_topic_feed_access },
    sourcesSelected({ local, remote }),
  )
  const wanted = { any: names([hashtag, ...(any ?? [])]), all: names(all), none: names(none) }
  const known = await tagIds(ctx.db, [...wanted.any, ...wanted.all, ...wanted.none])
  const idsOf = (list: readonly string[]): string[] => list.flatMap((name) => known.get(name) ?? [])
  const filter = {
    ...sources,
    onlyMedia: only_media === true,
    any: idsOf(wanted.any),
    all: idsOf(wanted.all),
    none: idsOf(wanted.none),
  }
  // A hashtag without a row was never used, so the page is empty.
  const nothing =
    (!sources.local && !sources.remote) || filter.any.length === 0 || filter.all.length < wanted.all.length
  return timelinePage(ctx, viewer?.id ?? null, page, {
    output: tagTimeline.output,
    skeleton: async (cursor) => (nothing ? [] : tagIdsPage(ctx.db, filter, cursor)),
    hydrate: statusesAt('public'),
    rules: [isLoaded, isAllowed, fitsPlace],
    present: statusText,
  })
})

/** Public statuses that share a trending link, newest first. */
export const link = handle(linkTimeline, async (ctx, viewer, { url, local, remote, ...page }) => {
  requireLoaded(ctx.policy)
  const settings = ctx.policy.settings()
  const sources = sourcesShown(
    viewer,
    { local: settings.local_topic_feed_access, remote: settings.remote_topic_feed_access },
    sourcesSelected({ local, remote }),
  )
  const key = url && URL.canParse(url) ? linkKey(url) : null
  const preview = key && (await trendingPreview(ctx.db, key, settings.trendable_by_default))
  if (!preview) throw notFound()
  const languages = viewer === null ? null : (await ctx.call(postingDefaults, { id: viewer.id })).chosen_languages
  const nothing = !sources.local && !sources.remote
  return timelinePage(ctx, viewer?.id ?? null, page, {
    output: linkTimeline.output,
    skeleton: async (cursor) => (nothing ? [] : linkTimelineIds(ctx.db, preview, { ...sources, languages }, cursor)),
    hydrate: statusesAt('public'),
    rules: [isLoaded, isAllowed, fitsPlace],
    present: statusText,
  })
})
