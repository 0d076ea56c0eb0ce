/** How several viewers stand to authors, each to their own. */
import { viewersFacts } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { standingsOfViewers } from '../../store/relation.js'
import { standingsOf } from '../../views/standing.js'

export const getViewersFacts = handle(viewersFacts, async (ctx, _viewer, { asked }) => {
  const found = await standingsOfViewers(ctx.db, asked, ctx.clock.date())
  return {
    standings: Object.fromEntries([...found].map(([viewer, rows]) => [viewer, standingsOf(rows).standings])),
  }
})
