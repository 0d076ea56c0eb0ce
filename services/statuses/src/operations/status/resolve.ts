/** A status by uri or page address, fetched when it is unknown. */
import { statusResolve } from '@murmuration/contracts/statuses'
import { reachStatus } from '../../changes/resolve.js'
import { handle } from '../../doors.js'
import { showNamed } from '../../views/status.js'

export const resolve = handle(statusResolve, async (ctx, _viewer, { uri, viewer, as, behind }) => {
  const { id, later } = await reachStatus(ctx, uri, { as, behind })
  if (id === null || viewer === null) return { id, ...(later && { later }) }
  return { id: (await showNamed(ctx, viewer, [id])).has(id) ? id : null }
})
