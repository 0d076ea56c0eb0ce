/** Handlers that store remote statuses and apply remote interactions. */

import { accountRecords } from '@murmuration/contracts/accounts'
import {
  applyRemoteInteraction,
  reportFetchResult as contract,
  putRemoteStatus,
  putRemoteStatuses,
  removeRemoteStatus,
  resolveStatus,
} from '@murmuration/contracts/statuses'
import { showNamed } from '../core/render/show-status.js'
import { isOfOrigin } from '../core/status/remote.rules.js'
import { handle } from '../handlers.js'
import { applyFetchResult } from './absence.js'
import { putRemoteStatuses as putAll } from './arrivals.js'
import { endRemote } from './end.js'
import { remoteFavourite, undoRemoteFavourite } from './favourite.js'
import { putRemoteStatus as put } from './put.js'
import { remoteReblog, undoRemoteReblog } from './reblog.js'
import { reachStatus } from './resolve.js'

/** Stores or edits a remote status. */
export const putRemote = handle(putRemoteStatus, (ctx, _viewer, { status }) => put(ctx, status))

/** Stores or edits remote statuses that were received together. */
export const putRemoteMany = handle(putRemoteStatuses, async (ctx, _viewer, { statuses }) => ({
  stored: await putAll(ctx, statuses),
}))

/** Deletes a remote status or boost, and stores a tombstone, so that a late Create has no effect. */
export const removeRemote = handle(removeRemoteStatus, async (ctx, _viewer, { uri, author }) => {
  const { records } = await ctx.call(accountRecords, { ids: [author] })
  // An author cannot delete a status of another server, nor store a tombstone that would block its real author.
  if (!records[0] || !isOfOrigin(uri, records[0].uri)) return { outcome: 'refused' as const }
  return { outcome: await endRemote(ctx, uri, author) }
})

/** Status by uri or page address; fetched if it is unknown. */
export const resolve = handle(resolveStatus, async (ctx, _viewer, { uri, viewer, as, behind: background, exact }) => {
  const { id, later } = await reachStatus(ctx, uri, { as, behind: background, exact })
  if (id === null || viewer === null) return { id, ...(later && { later }) }
  return { id: (await showNamed(ctx, viewer, [id])).has(id) ? id : null }
})

/** Applies the result of fetching a remote status. The result may delete the status. */
export const applyResult = handle(contract, async (ctx, _viewer, { uri, outcome, by }) => ({
  removed: await applyFetchResult(ctx, uri, outcome, by),
}))

/** Handlers of remote favourites and boosts, and of their Undo. */
const ways = {
  favourite: remoteFavourite,
  'undo-favourite': undoRemoteFavourite,
  reblog: remoteReblog,
  'undo-reblog': undoRemoteReblog,
}

export const applyRemote = handle(applyRemoteInteraction, async (ctx, _viewer, { what, ...interaction }) => {
  const outcome = await ways[what](ctx, interaction)
  return typeof outcome === 'string' ? { outcome } : { outcome: 'other' as const, ...outcome }
})
