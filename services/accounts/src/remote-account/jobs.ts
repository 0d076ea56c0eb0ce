/** Job that fetches a remote profile that was not fetched for a day, or the unknown target of a moved account. */
import { refreshRemoteJob } from '@murmuration/contracts/accounts'
import { accountsByUris } from '../core/account/store.js'
import { work } from '../handlers.js'
import { resolveAccount } from './resolve.js'
import { isStale } from './rules.js'
import { isAwaitedTarget } from './store.js'

export const refreshRemote = work(refreshRemoteJob, async (ctx, { uri }) => {
  const [row] = await accountsByUris(ctx.db, [uri])
  if (row && isStale(row, ctx.clock.now())) await resolveAccount(ctx, { uri, refresh: true })
  if (!row && (await isAwaitedTarget(ctx.db, uri))) await resolveAccount(ctx, { uri, behind: true, awaitedAt: uri })
})
