/** Statuses of the people the viewer follows, newest first. */
import { homeTimeline } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { feedPage } from '../../views/home.js'
import { timelinePage } from '../../views/pages.js'

export const home = handle(homeTimeline, (ctx, viewer, page) =>
  timelinePage(ctx, viewer.id, {
    output: homeTimeline.output,
    place: 'home',
    page,
    skeleton: (cursor) => feedPage(ctx, { viewerId: viewer.id, list: null }, cursor),
  }),
)
