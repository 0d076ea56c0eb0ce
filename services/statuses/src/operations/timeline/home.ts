/** Statuses of the people and hashtags the viewer follows, newest first. */
import { homeTimeline } from '@murmuration/contracts/statuses'
import { homeRefreshId, refreshHeader } from '../../domain/async-refresh.js'
import { handle } from '../../doors.js'
import { feedPage } from '../../views/home.js'
import { timelinePage } from '../../views/pages.js'

export const home = handle(homeTimeline, async (ctx, viewer, page) => {
  let building = false
  const answer = await timelinePage(ctx, viewer.id, {
    output: homeTimeline.output,
    place: 'home',
    page,
    skeleton: async (cursor) => {
      const found = await feedPage(ctx, { viewerId: viewer.id, list: null }, cursor)
      building ||= found.building
      return found.ids
    },
  })
  // Clients may show what there is and come back (facts: behaviours 5).
  return building ? { ...answer, status: 206, headers: refreshHeader(homeRefreshId(viewer.id)) } : answer
})
