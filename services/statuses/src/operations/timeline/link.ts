/** Public statuses that share a trending link, newest first. */
import { postingDefaults } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { linkTimeline } from '@murmuration/contracts/statuses'
import { halvesAsked, halvesShown } from '../../domain/access.js'
import { linkKey } from '../../domain/preview.js'
import { handle } from '../../doors.js'
import { linkTimelineIds, trendingPreview } from '../../store/preview.js'
import { timelinePage } from '../../views/pages.js'

export const link = handle(linkTimeline, async (ctx, viewer, { url, local, remote, ...page }) => {
  const settings = ctx.policy.settings()
  const halves = halvesShown(
    viewer,
    { local: settings.local_topic_feed_access, remote: settings.remote_topic_feed_access },
    halvesAsked({ local, remote }),
  )
  const asked = url && URL.canParse(url) ? linkKey(url) : null
  const preview = asked && (await trendingPreview(ctx.db, asked, settings.trendable_by_default))
  if (!preview) throw notFound()
  const languages = viewer === null ? null : (await ctx.call(postingDefaults, { id: viewer.id })).chosen_languages
  const nothing = !halves.local && !halves.remote
  return timelinePage(ctx, viewer?.id ?? null, {
    output: linkTimeline.output,
    place: 'public',
    page,
    skeleton: async (cursor) => (nothing ? [] : linkTimelineIds(ctx.db, preview, { ...halves, languages }, cursor)),
  })
})
