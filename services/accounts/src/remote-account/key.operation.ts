/** Handler that returns a stored public key of a remote actor. An actor that was not fetched for a week is fetched again. */
import { remoteKeys } from '@murmuration/contracts/accounts'
import { handle } from '../handlers.js'
import { remoteKey } from './key.store.js'
import { refreshInBackground } from './resolve.js'

export const getRemoteKey = handle(remoteKeys, async (ctx, _viewer, { keyId }) => {
  const found = await remoteKey(ctx.db, keyId)
  if (found === null) return { key: null }
  const { fetched_at, fetch_after, domain, ...key } = found
  refreshInBackground(ctx, { uri: key.owner, domain, fetched_at, fetch_after }, 'week')
  return { key }
})
