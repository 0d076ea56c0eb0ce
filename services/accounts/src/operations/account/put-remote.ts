/** Stores or refreshes a remote account that federation verified. */
import { putRemote } from '@murmuration/contracts/accounts'
import { fail } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { storeRemote } from '../../outside/remote-account.js'
import { recordOf } from '../../views/account-record.js'

export const putRemoteAccount = handle(putRemote, async (ctx, _viewer, { actor, announced }) => {
  // Who told of itself was here.
  const row = await storeRemote(ctx, actor, { announced, wasHere: announced })
  if (row === null) throw fail('unavailable', 'The account was removed while it was read', { retryAfter: 2 })
  return { record: recordOf(row) }
})
