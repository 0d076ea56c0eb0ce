/** Event handlers that index statuses for search. */
import { statusCreated, statusEdited } from '@murmuration/contracts/statuses'
import { react, reactAll } from '../handlers.js'
import { indexOrThrow } from './index-statuses.js'

/** Adds new statuses to the search index. */
export const onStatusCreatedSearch = reactAll(statusCreated, 'on-status-created-search', (ctx, events) =>
  indexOrThrow(
    ctx,
    events.filter((e) => e.reblogOf === null).map((e) => e.id),
  ),
)

/** Replaces edited statuses in the search index. */
export const onStatusEdited = react(statusEdited, 'on-status-edited', async (ctx, e) => {
  await indexOrThrow(ctx, [e.id])
})
