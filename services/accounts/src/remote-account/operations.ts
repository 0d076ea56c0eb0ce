/** Handlers that store, remove, find and resolve remote accounts. */
import {
  accountsAtInbox,
  removeRemote as contract,
  inboxHosts,
  putRemote,
  resolveAccount,
} from '@murmuration/contracts/accounts'
import { fail } from '@murmuration/contracts/kit'
import { recordOf } from '../core/account/record.js'
import { accountsByUris } from '../core/account/store.js'
import { handle } from '../handlers.js'
import { inboxHostsOf } from './inbox-host.store.js'
import { storeRemote } from './put.js'
import { removeRemote } from './remove.js'
import { lookUpAccount } from './resolve.js'
import { urisAtInbox } from './store.js'

/** Stores or updates a remote account that federation verified. */
export const putRemoteAccount = handle(putRemote, async (ctx, _viewer, { actor, announced }) => {
  // An account that announces itself with a known key was stored before. If the account is not stored now, it was removed meanwhile.
  const row = await storeRemote(ctx, actor, { announced, wasHere: announced })
  if (row === null) throw fail('unavailable', 'The account was removed while it was read', { retryAfter: 2 })
  return { record: recordOf(row) }
})

/** Removes a remote account that its server reports as deleted. */
export const removeRemoteAccount = handle(contract, async (ctx, _viewer, { uri }) => {
  const [row] = await accountsByUris(ctx.db, [uri])
  return { removed: row !== undefined && row.domain !== null && (await removeRemote(ctx, row)) }
})

/** Maximum number of actor ids that are returned for one inbox. Some servers use the same inbox for all accounts. */
const MAX_ACTORS = 5

export const findAtInbox = handle(accountsAtInbox, async (ctx, _viewer, { inbox }) => ({
  uris: await urisAtInbox(ctx.db, inbox, MAX_ACTORS),
}))

/** Returns the hosts of the inboxes of accounts by the domain of their handles, or by the host of their actor ids. */
export const findInboxHosts = handle(inboxHosts, async (ctx, _viewer, { name }) => {
  const rows = await inboxHostsOf(ctx.db, name)
  const hosts = new Map(rows.map(({ host, why }) => [`${why} ${host}`, { host, why }]))
  const domains = rows.filter((row) => row.why === 'actor').map((row) => row.domain)
  return { hosts: [...hosts.values()], domains: [...new Set(domains)] }
})

/** Returns an account by actor id or handle. An unknown account is fetched from its server. */
export const resolveAccountById = handle(resolveAccount, async (ctx, _viewer, question) => {
  const { row, later, limited } = await lookUpAccount(ctx, question)
  return { record: row ? recordOf(row) : null, ...(later && { later, limited }) }
})
