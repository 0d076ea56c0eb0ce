/** A remote account is gone, as its own server says. */
import { removeRemote as contract } from '@murmuration/contracts/accounts'
import { removeRemote } from '../../changes/remote-removal.js'
import { handle } from '../../doors.js'
import { accountsByUris } from '../../store/account.js'

export const removeRemoteAccount = handle(contract, async (ctx, _viewer, { uri }) => {
  const [row] = await accountsByUris(ctx.db, [uri])
  return { removed: row !== undefined && row.domain !== null && (await removeRemote(ctx, row)) }
})
