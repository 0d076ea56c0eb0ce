/** Favourites a status; of a boost, the original. */
import { fail } from '@murmuration/contracts/kit'
import { addFavourite } from '@murmuration/contracts/statuses'
import { favourite } from '../../changes/favourite.js'
import { handle } from '../../doors.js'
import { holdAlive } from '../../store/status.js'
import { showStatus } from '../../views/status.js'
import { noStatus, visibleStatus } from '../../views/visible.js'

export const add = handle(addFavourite, async (ctx, viewer, { id }) => {
  const { proper, standing } = await visibleStatus(ctx, viewer.id, id)
  if (standing?.blocking) throw fail('forbidden', 'This action is not allowed')
  const status = { id: proper.id, uri: proper.uri, author: proper.author_id, authorLocal: proper.local }
  await ctx.db.tx(async (tx) => {
    if (!(await holdAlive(tx, proper.id))) throw noStatus()
    await favourite(ctx, tx, status, { id: viewer.id, local: true }, null)
  })
  return showStatus(ctx, viewer.id, id)
})
