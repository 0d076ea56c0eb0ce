/** Puts the default header back. */
import { headerRemove } from '@murmuration/contracts/accounts'
import { changeProfile } from '../../changes/profile.js'
import { handle } from '../../doors.js'
import { credentialAccount } from '../../views/credential-account.js'

export const removeHeader = handle(headerRemove, async (ctx, viewer) => {
  await changeProfile(ctx, viewer.id, { header: null, headerDescription: '' })
  return credentialAccount(ctx, viewer.id)
})
