/** Job that fetches a remote profile again that was not fetched for a day. */
import { refreshRemoteJob } from '@murmuration/contracts/accounts'
import { accountsByUris } from '../core/account.store.js'
import { work } from '../handlers.js'
import { resolveAccount } from './resolve.js'
import { isStale } from './rules.js'

export const refreshRemote = work(refreshRemoteJob, async (ctx, { uri }) => {
  const [row] = await accountsByUris(ctx.db, [uri])
  if (row && isStale(row, ctx.clock.now())) await resolveAccount(ctx, { uri, refresh: true })
})
