/** One status for the open connections of a streaming node. */
import { renderForListeners } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { showToListeners } from '../../views/listeners.js'

export const forListeners = handle(renderForListeners, (ctx, _viewer, { id, listeners, surface }) =>
  showToListeners(ctx, id, listeners, surface),
)
