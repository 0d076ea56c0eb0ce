/** New statuses can be found by what they say. */
import { statusCreated } from '@murmuration/contracts/statuses'
import { indexSurely } from '../changes/status-search.js'
import { reactAll } from '../doors.js'

export const onStatusCreatedSearch = reactAll(statusCreated, 'on-status-created-search', (ctx, events) =>
  indexSurely(
    ctx,
    events.filter((e) => e.reblogOf === null).map((e) => e.id),
  ),
)
