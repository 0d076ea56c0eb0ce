/** Event handlers that delete pictures of removed accounts, and mark or delete replaced pictures. */
import { accountRemoved, localPicturesReplaced, picturesReplaced } from '@murmuration/contracts/accounts'
import { remoteAddress } from '@murmuration/text'
import { abandonAttachments } from '../core/attachment/reservation.store.js'
import { deletePicturesOf, dropPictures, markReplaced } from '../core/picture/store.js'
import { react } from '../handlers.js'
import { releaseFiles } from '../upkeep/index.js'

export const onAccountRemoved = react(accountRemoved, 'on-account-removed', async (ctx, e) => {
  await abandonAttachments(ctx.db, e.id)
  await ctx.db.tx(async (tx) => releaseFiles(ctx, tx, await deletePicturesOf(tx, e.id, e)))
})

export const onLocalPicturesReplaced = react(
  localPicturesReplaced,
  'on-local-pictures-replaced',
  async (ctx, { owner, keys }) => {
    await ctx.db.tx(async (tx) => releaseFiles(ctx, tx, (await dropPictures(tx, owner, keys)).flat()))
  },
)

export const onPicturesReplaced = react(picturesReplaced, 'on-pictures-replaced', async (ctx, { owner, pictures }) => {
  const own = [ctx.site.localDomain, ctx.site.webDomain]
  const old = pictures.flatMap(({ kind, remote }) => {
    const remote_url = remoteAddress(remote, own)
    return remote_url === null ? [] : [{ kind, remote_url }]
  })
  if (old.length > 0) await ctx.db.tx((tx) => markReplaced(tx, owner, old, ctx.clock.date()))
})
