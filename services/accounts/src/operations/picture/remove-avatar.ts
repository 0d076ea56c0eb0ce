/** Puts the default avatar back. */
import { avatarRemove } from '@murmuration/contracts/accounts'
import { changeProfile } from '../../changes/profile.js'
import { handle } from '../../doors.js'
import { credentialAccount } from '../../views/credential-account.js'

export const removeAvatar = handle(avatarRemove, async (ctx, viewer) => {
  await changeProfile(ctx, viewer.id, { avatar: null, avatarDescription: '' })
  return credentialAccount(ctx, viewer.id)
})
