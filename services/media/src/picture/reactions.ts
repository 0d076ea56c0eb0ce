/** Removes the files of a removed account. */
import { accountRemoved } from '@murmuration/contracts/accounts'
import { abandonAttachments } from '../core/holding.store.js'
import { deleteRemotePictures } from '../core/picture.store.js'
import { react } from '../doors.js'
import { loosen } from '../upkeep/index.js'

// Accounts deletes pictures of local accounts itself, together with their rows.
export const onAccountRemoved = react(accountRemoved, 'on-account-removed', async (ctx, e) => {
  await abandonAttachments(ctx.db, e.id)
  if (e.local) return
  await ctx.db.tx(async (tx) => loosen(ctx, tx, await deleteRemotePictures(tx, e.id)))
})
