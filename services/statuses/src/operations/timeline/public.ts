/** Public statuses known to this server, newest first. */
import { postingDefaults } from '@murmuration/contracts/accounts'
import { publicTimeline } from '@murmuration/contracts/statuses'
import { halvesAsked, halvesShown } from '../../domain/access.js'
import { handle } from '../../doors.js'
import { publicIds } from '../../store/timeline.js'
import { timelinePage } from '../../views/pages.js'

export const publicly = handle(publicTimeline, async (ctx, viewer, { local, remote, only_media, ...page }) => {
  const settings = ctx.policy.settings()
  const halves = halvesShown(
    viewer,
    { local: settings.local_live_feed_access, remote: settings.remote_live_feed_access },
    halvesAsked({ local, remote }),
  )
  const languages = viewer === null ? null : (await ctx.call(postingDefaults, { id: viewer.id })).chosen_languages
  const nothing = !halves.local && !halves.remote
  return timelinePage(ctx, viewer?.id ?? null, {
    output: publicTimeline.output,
    place: 'public',
    page,
    skeleton: async (cursor) =>
      nothing ? [] : publicIds(ctx.db, { ...halves, onlyMedia: only_media === true, languages }, cursor),
  })
})
