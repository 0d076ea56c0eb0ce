/** Reads a remote profile again that was not read for a day. */
import { refreshRemoteJob } from '@murmuration/contracts/accounts'
import { isStale } from '../domain/remote-account.js'
import { work } from '../doors.js'
import { resolveAccount } from '../outside/resolve-account.js'
import { accountsByUris } from '../store/account.js'

export const refreshRemote = work(refreshRemoteJob, async (ctx, { uri }) => {
  const [row] = await accountsByUris(ctx.db, [uri])
  if (row && isStale(row, ctx.clock.now())) await resolveAccount(ctx, { uri, refresh: true })
})
