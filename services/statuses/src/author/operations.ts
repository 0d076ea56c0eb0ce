/** Handler that names accounts which statuses refer to. */
import { involvedAccounts } from '@murmuration/contracts/statuses'
import { handle } from '../handlers.js'
import { involvedOf } from './store.js'

export const involved = handle(involvedAccounts, async (ctx, _viewer, { ids }) => ({
  ids: await involvedOf(ctx.db, ids),
}))
