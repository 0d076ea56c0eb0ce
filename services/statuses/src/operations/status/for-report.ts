/** Which statuses a report may name: the author's, and visible to who reports. */
import { statusesForReport } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { hydrate } from '../../views/hydrate.js'
import { isVisible } from '../../views/rules.js'

export const forReport = handle(statusesForReport, async (ctx, _viewer, { viewer, author, ids }) => {
  const state = await hydrate(ctx, viewer, ids, 'report')
  return {
    ids: ids.filter((id) => {
      const fact = state.facts.get(id)
      return fact !== undefined && fact.author_id === author && isVisible(state, fact)
    }),
  }
})
