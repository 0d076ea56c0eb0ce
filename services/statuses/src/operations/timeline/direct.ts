/** Direct statuses of the viewer’s conversations, for apps from before conversations. */
import { directTimeline } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { directIds } from '../../store/conversation.js'
import { timelinePage } from '../../views/pages.js'

export const direct = handle(directTimeline, (ctx, viewer, page) =>
  timelinePage(ctx, viewer.id, {
    output: directTimeline.output,
    place: 'direct',
    page,
    skeleton: (cursor) => directIds(ctx.db, viewer.id, cursor),
  }),
)
