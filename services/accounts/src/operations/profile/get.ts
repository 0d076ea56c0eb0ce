/** The profile of a local person as they edit it, for the service that adds the hashtags on it. */
import { profileGet } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { ownProfile } from '../../views/own-profile.js'

export const getProfile = handle(profileGet, (ctx, _viewer, { id }) => ownProfile(ctx, id))
