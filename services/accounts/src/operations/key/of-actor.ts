/** A stored public key of a remote actor. */
import { remoteKeys } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { remoteKey } from '../../store/key.js'

export const getRemoteKey = handle(remoteKeys, async (ctx, _viewer, { keyId }) => ({
  key: await remoteKey(ctx.db, keyId),
}))
