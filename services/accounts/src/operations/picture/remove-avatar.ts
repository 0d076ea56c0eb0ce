/** Puts the default avatar back. */
import { avatarRemove } from '@murmuration/contracts/accounts'
import { changeProfile } from '../../changes/profile.js'
import { handle } from '../../doors.js'
import { dropReplaced } from '../../outside/picture.js'
import { accountById } from '../../store/account.js'
import { credentialAccount } from '../../views/credential-account.js'

export const removeAvatar = handle(avatarRemove, async (ctx, viewer) => {
  const before = await accountById(ctx.db, viewer.id)
  await changeProfile(ctx, viewer.id, { avatar: null, avatarDescription: '' })
  dropReplaced(ctx, viewer.id, [before?.avatar ?? null])
  return credentialAccount(ctx, viewer.id)
})
