/** People who boosted a status publicly. */
import { rebloggedBy } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { rebloggersOf } from '../../store/reblog.js'
import { peoplePage } from '../../views/people.js'
import { visibleStatus } from '../../views/visible.js'

export const people = handle(rebloggedBy, async (ctx, viewer, { id, ...page }) => {
  const { proper } = await visibleStatus(ctx, viewer?.id ?? null, id)
  return peoplePage(ctx, viewer?.id ?? null, rebloggedBy.output, page, await rebloggersOf(ctx.db, proper.id, page))
})
