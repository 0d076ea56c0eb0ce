/** A stored public key of a remote actor; who was not looked at for a week and speaks now is read again. */
import { remoteKeys } from '@murmuration/contracts/accounts'
import { handle } from '../handlers.js'
import { remoteKey } from './key.store.js'
import { readBehind } from './resolve.js'

export const getRemoteKey = handle(remoteKeys, async (ctx, _viewer, { keyId }) => {
  const found = await remoteKey(ctx.db, keyId)
  if (found === null) return { key: null }
  const { fetched_at, fetch_after, domain, ...key } = found
  readBehind(ctx, { uri: key.owner, domain, fetched_at, fetch_after }, 'week')
  return { key }
})
