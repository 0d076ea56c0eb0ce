/** A remote actor liked or boosted a status, or took that back. */
import { applyRemoteInteraction } from '@murmuration/contracts/statuses'
import {
  remoteFavourite,
  remoteReblog,
  undoRemoteFavourite,
  undoRemoteReblog,
} from '../../changes/remote-interaction.js'
import { handle } from '../../doors.js'

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
