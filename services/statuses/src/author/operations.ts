/** Handlers that return which accounts have rows in this service, and the flags of known authors. */
import { findReferencedAccounts, knownAuthors } from '@murmuration/contracts/statuses'
import { handle } from '../handlers.js'
import { authorsAmong, involvedOf } from './store.js'

export const involved = handle(findReferencedAccounts, async (ctx, _viewer, { ids }) => ({
  ids: await involvedOf(ctx.db, ids),
}))

export const known = handle(knownAuthors, async (ctx, _viewer, { ids }) => ({
  authors: await authorsAmong(ctx.db, ids),
}))
