/** How a viewer stands to each of these authors. Never cached: a block holds on the next request. */
import { viewerFacts } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { standingsOfViewer } from '../../store/relation.js'
import { standingsOf } from '../../views/standing.js'

export const getViewerFacts = handle(viewerFacts, async (ctx, _viewer, { viewer, authors }) =>
  standingsOf(await standingsOfViewer(ctx.db, viewer, authors, ctx.clock.date())),
)
