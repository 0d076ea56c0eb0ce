/** Public statuses with a hashtag, newest first. */
import { limits } from '@murmuration/contracts/limits'
import { tagTimeline } from '@murmuration/contracts/statuses'
import { normaliseTag } from '@murmuration/text'
import { halvesAsked, halvesShown } from '../../domain/access.js'
import { handle } from '../../doors.js'
import { tagIds } from '../../store/tag.js'
import { tagIdsPage } from '../../store/timeline.js'
import { timelinePage } from '../../views/pages.js'

/** Normalised names, at most so many as one condition may hold; the rest is ignored. */
const names = (given: readonly string[] | undefined): string[] =>
  (given ?? [])
    .map(normaliseTag)
    .filter((name) => name !== '')
    .slice(0, limits.search.tagNamesPerCondition)

export const tag = handle(tagTimeline, async (ctx, viewer, input) => {
  const { hashtag, local, remote, only_media, any, all, none, ...page } = input
  const settings = ctx.policy.settings()
  const halves = halvesShown(
    viewer,
    { local: settings.local_topic_feed_access, remote: settings.remote_topic_feed_access },
    halvesAsked({ local, remote }),
  )
  const wanted = { any: names([hashtag, ...(any ?? [])]), all: names(all), none: names(none) }
  const known = await tagIds(ctx.db, [...wanted.any, ...wanted.all, ...wanted.none])
  const idsOf = (list: readonly string[]): string[] => list.flatMap((name) => known.get(name) ?? [])
  const filter = {
    ...halves,
    onlyMedia: only_media === true,
    any: idsOf(wanted.any),
    all: idsOf(wanted.all),
    none: idsOf(wanted.none),
  }
  // A tag that nobody has used yet is on no status.
  const nothing = (!halves.local && !halves.remote) || filter.any.length === 0 || filter.all.length < wanted.all.length
  return timelinePage(ctx, viewer?.id ?? null, {
    output: tagTimeline.output,
    place: 'public',
    page,
    skeleton: async (cursor) => (nothing ? [] : tagIdsPage(ctx.db, filter, cursor)),
  })
})
