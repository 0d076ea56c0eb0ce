/** Handlers that store, remove, find and resolve remote accounts. */
import { accountResolve, accountsAtInbox, removeRemote as contract, putRemote } from '@murmuration/contracts/accounts'
import { fail } from '@murmuration/contracts/kit'
import { accountsByUris } from '../core/account.store.js'
import { recordOf } from '../core/record.js'
import { handle } from '../handlers.js'
import { storeRemote } from './put.js'
import { removeRemote } from './remove.js'
import { reachAccount } from './resolve.js'
import { urisAtInbox } from './store.js'

/** Stores or refreshes a remote account that federation verified. */
export const putRemoteAccount = handle(putRemote, async (ctx, _viewer, { actor, announced }) => {
  // An account that sent its own actor is active.
  const row = await storeRemote(ctx, actor, { announced, wasHere: announced })
  if (row === null) throw fail('unavailable', 'The account was removed while it was read', { retryAfter: 2 })
  return { record: recordOf(row) }
})

/** A remote account is gone, as its own server says. */
export const removeRemoteAccount = handle(contract, async (ctx, _viewer, { uri }) => {
  const [row] = await accountsByUris(ctx.db, [uri])
  return { removed: row !== undefined && row.domain !== null && (await removeRemote(ctx, row)) }
})

/** Several share one where a server gives all of its people the same. */
const MOST = 5

export const findAtInbox = handle(accountsAtInbox, async (ctx, _viewer, { inbox }) => ({
  uris: await urisAtInbox(ctx.db, inbox, MOST),
}))

/** One account by actor id or handle, fetched from its server when it is unknown. */
export const resolveAccountById = handle(accountResolve, async (ctx, _viewer, question) => {
  const { row, later } = await reachAccount(ctx, question)
  return { record: row ? recordOf(row) : null, ...(later && { later }) }
})
