/** Reactions that delete pictures of removed accounts, and mark replaced pictures. */
import { accountRemoved, picturesReplaced } from '@murmuration/contracts/accounts'
import { remoteAddress } from '@murmuration/text'
import { deleteRemotePictures, markReplaced } from '../core/picture.store.js'
import { abandonAttachments } from '../core/reservation.store.js'
import { react } from '../handlers.js'
import { releaseFiles } from '../upkeep/index.js'

// Only pictures of remote accounts are deleted here. For local accounts, the accounts service calls an operation.
export const onAccountRemoved = react(accountRemoved, 'on-account-removed', async (ctx, e) => {
  await abandonAttachments(ctx.db, e.id)
  if (e.local) return
  await ctx.db.tx(async (tx) => releaseFiles(ctx, tx, await deleteRemotePictures(tx, e.id)))
})

export const onPicturesReplaced = react(picturesReplaced, 'on-pictures-replaced', async (ctx, { owner, pictures }) => {
  const own = [ctx.site.localDomain, ctx.site.webDomain]
  const old = pictures.flatMap(({ kind, remote }) => {
    const remote_url = remoteAddress(remote, own)
    return remote_url === null ? [] : [{ kind, remote_url }]
  })
  if (old.length > 0) await ctx.db.tx((tx) => markReplaced(tx, owner, old, ctx.clock.date()))
})
