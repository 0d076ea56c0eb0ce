/** Statuses of the members of a list of one’s own, newest first. */
import { listShow } from '@murmuration/contracts/accounts'
import { listTimeline } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { feedPage } from '../../views/home.js'
import { timelinePage } from '../../views/pages.js'

export const list = handle(listTimeline, async (ctx, viewer, { id, ...page }) => {
  // Accounts answers for lists; foreign and unknown ones are the same refusal (A043).
  await ctx.call(listShow, { id })
  return timelinePage(ctx, viewer.id, {
    output: listTimeline.output,
    place: 'list',
    page,
    skeleton: async (cursor) => (await feedPage(ctx, { viewerId: viewer.id, list: id }, cursor)).ids,
  })
})
