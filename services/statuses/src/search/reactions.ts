/** Reactions that index statuses for search. */
import { statusCreated, statusEdited } from '@murmuration/contracts/statuses'
import { react, reactAll } from '../handlers.js'
import { indexSurely } from './index-statuses.js'

/** New statuses can be found by what they say. */
export const onStatusCreatedSearch = reactAll(statusCreated, 'on-status-created-search', (ctx, events) =>
  indexSurely(
    ctx,
    events.filter((e) => e.reblogOf === null).map((e) => e.id),
  ),
)

/** An edited status is found by what it says now. */
export const onStatusEdited = react(statusEdited, 'on-status-edited', async (ctx, e) => {
  await indexSurely(ctx, [e.id])
})
