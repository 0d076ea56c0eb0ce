/** Handlers of the own profile. */
import {
  changeProfile as changeProfileOperation,
  getProfile,
  removeAvatar,
  removeHeader,
  updateCredentials,
  verifyCredentials,
} from '@murmuration/contracts/accounts'
import { handle } from '../handlers.js'
import { changeProfile } from './change.js'
import { credentialAccount } from './credential-account.js'
import { editProfile } from './edit.js'
import { ownProfile } from './own-profile.js'

/** Returns the profile of a local account with its editable texts. The statuses service adds the featured hashtags. */
export const get = handle(getProfile, (ctx, _viewer, { id }) => ownProfile(ctx, id))

/** Changes the profile of a local account, and returns it. */
export const changeOwnProfile = handle(changeProfileOperation, async (ctx, _viewer, { id, ...input }) => {
  await editProfile(ctx, id, input)
  return ownProfile(ctx, id)
})

/** Returns the account of the viewer. */
export const verify = handle(verifyCredentials, (ctx, viewer) => credentialAccount(ctx, viewer.id))

/** Changes the profile and the posting defaults of the viewer. */
export const update = handle(updateCredentials, async (ctx, viewer, input) => {
  await editProfile(ctx, viewer.id, input)
  return credentialAccount(ctx, viewer.id)
})

/** Removes the avatar of the viewer. */
export const remove = handle(removeAvatar, async (ctx, viewer) => {
  await changeProfile(ctx, viewer.id, { avatar: null, avatarDescription: '' })
  return credentialAccount(ctx, viewer.id)
})

/** Removes the header of the viewer. */
export const handleRemoveHeader = handle(removeHeader, async (ctx, viewer) => {
  await changeProfile(ctx, viewer.id, { header: null, headerDescription: '' })
  return credentialAccount(ctx, viewer.id)
})
