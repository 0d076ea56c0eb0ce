/** People who favourited a status. */
import { favouritedBy } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { favouritersOf } from '../../store/favourite.js'
import { peoplePage } from '../../views/people.js'
import { visibleStatus } from '../../views/visible.js'

export const people = handle(favouritedBy, async (ctx, viewer, { id, ...page }) => {
  const { proper } = await visibleStatus(ctx, viewer?.id ?? null, id)
  return peoplePage(ctx, viewer?.id ?? null, favouritedBy.output, page, await favouritersOf(ctx.db, proper.id, page))
})
