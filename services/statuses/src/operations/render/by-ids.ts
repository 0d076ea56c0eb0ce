/** Status JSON for a viewer by id, for other services. */
import { renderByIds } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { showStatuses } from '../../views/status.js'

export const byIds = handle(renderByIds, (ctx, _viewer, { viewer, ids, place }) =>
  showStatuses(ctx, viewer, [...new Set(ids)], place),
)
