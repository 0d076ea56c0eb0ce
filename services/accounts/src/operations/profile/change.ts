/** Changes the profile of a local person and shows it. */
import { profileChange } from '@murmuration/contracts/accounts'
import { editProfile } from '../../changes/edit-profile.js'
import { handle } from '../../doors.js'
import { ownProfile } from '../../views/own-profile.js'

export const changeOwnProfile = handle(profileChange, async (ctx, _viewer, { id, ...input }) => {
  await editProfile(ctx, id, input)
  return ownProfile(ctx, id)
})
