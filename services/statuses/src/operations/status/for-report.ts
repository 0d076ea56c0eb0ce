/** Those of the ids that the author wrote and the viewer may see (A060). */
import { statusesForReport } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { factsOf } from '../../store/fact.js'
import { isVisible } from '../../views/rules.js'
import { standingsOf } from '../../views/standings.js'

export const forReport = handle(statusesForReport, async (ctx, _viewer, { viewer, author, ids }) => {
  const [facts, standings] = await Promise.all([factsOf(ctx.db, viewer, ids), standingsOf(ctx, viewer, [author])])
  const eyes = { viewerId: viewer, standings }
  return {
    ids: ids.filter((id) => {
      const fact = facts.get(id)
      return fact?.author_id === author && fact.reblog_of_id === null && isVisible(eyes, fact)
    }),
  }
})
