/** Puts the default header back. */
import { headerRemove } from '@murmuration/contracts/accounts'
import { changeProfile } from '../../changes/profile.js'
import { handle } from '../../doors.js'
import { dropReplaced } from '../../outside/picture.js'
import { accountById } from '../../store/account.js'
import { credentialAccount } from '../../views/credential-account.js'

export const removeHeader = handle(headerRemove, async (ctx, viewer) => {
  const before = await accountById(ctx.db, viewer.id)
  await changeProfile(ctx, viewer.id, { header: null, headerDescription: '' })
  dropReplaced(ctx, viewer.id, [before?.header ?? null])
  return credentialAccount(ctx, viewer.id)
})
