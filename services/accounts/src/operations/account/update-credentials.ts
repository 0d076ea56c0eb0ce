/** Changes the profile and the defaults of the viewer. */
import { credentialsUpdate } from '@murmuration/contracts/accounts'
import { editProfile } from '../../changes/edit-profile.js'
import { handle } from '../../doors.js'
import { credentialAccount } from '../../views/credential-account.js'

export const updateCredentials = handle(credentialsUpdate, async (ctx, viewer, input) => {
  await editProfile(ctx, viewer.id, input)
  return credentialAccount(ctx, viewer.id)
})
