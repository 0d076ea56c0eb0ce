/** One status rendered once for all the listeners of a streaming node. */
import { renderForListeners } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { renderFor } from '../../views/listener.js'

export const forListeners = handle(renderForListeners, (ctx, _viewer, { id, listeners, surface }) =>
  renderFor(ctx, id, listeners, surface),
)
