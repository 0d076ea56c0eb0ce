/** Handlers of the own profile. */
import {
  avatarRemove,
  credentialsUpdate,
  credentialsVerify,
  headerRemove,
  profileChange,
  profileGet,
} from '@murmuration/contracts/accounts'
import { accountById } from '../core/account.store.js'
import { handle } from '../handlers.js'
import { changeProfile } from './change.js'
import { credentialAccount } from './credential-account.js'
import { editProfile } from './edit.js'
import { ownProfile } from './own-profile.js'
import { dropReplaced } from './picture.js'

/** Returns the profile of a local account with its editable texts. The statuses service adds the featured hashtags. */
export const getProfile = handle(profileGet, (ctx, _viewer, { id }) => ownProfile(ctx, id))

/** Changes the profile of a local account, and returns it. */
export const changeOwnProfile = handle(profileChange, async (ctx, _viewer, { id, ...input }) => {
  await editProfile(ctx, id, input)
  return ownProfile(ctx, id)
})

/** Returns the account of the viewer. */
export const verifyCredentials = handle(credentialsVerify, (ctx, viewer) => credentialAccount(ctx, viewer.id))

/** Changes the profile and the posting defaults of the viewer. */
export const updateCredentials = handle(credentialsUpdate, async (ctx, viewer, input) => {
  await editProfile(ctx, viewer.id, input)
  return credentialAccount(ctx, viewer.id)
})

/** Removes the avatar of the viewer. */
export const removeAvatar = handle(avatarRemove, async (ctx, viewer) => {
  const before = await accountById(ctx.db, viewer.id)
  await changeProfile(ctx, viewer.id, { avatar: null, avatarDescription: '' })
  dropReplaced(ctx, viewer.id, [before?.avatar ?? null])
  return credentialAccount(ctx, viewer.id)
})

/** Removes the header of the viewer. */
export const removeHeader = handle(headerRemove, async (ctx, viewer) => {
  const before = await accountById(ctx.db, viewer.id)
  await changeProfile(ctx, viewer.id, { header: null, headerDescription: '' })
  dropReplaced(ctx, viewer.id, [before?.header ?? null])
  return credentialAccount(ctx, viewer.id)
})
