/** Stores or refreshes a remote account that federation verified. */
import { putRemote } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { storeRemote } from '../../outside/remote-account.js'
import { recordOf } from '../../views/account-record.js'

export const putRemoteAccount = handle(putRemote, async (ctx, _viewer, { actor, announced }) => ({
  record: recordOf(await storeRemote(ctx, actor, announced)),
}))
