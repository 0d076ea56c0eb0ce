/** What Note documents are written from. */
import { statusSources } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { rowsOf } from '../../store/status.js'
import { sourcesOf } from '../../views/record.js'

export const sources = handle(statusSources, async (ctx, _viewer, { ids }) => ({
  sources: await sourcesOf(ctx, [...(await rowsOf(ctx.db, ids)).values()]),
}))
