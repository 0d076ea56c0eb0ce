/** Job that fetches a remote profile that was not fetched for a day, or the unknown target of a moved account. */
import { refreshRemoteJob } from '@murmuration/contracts/accounts'
import { notYet } from '@murmuration/contracts/kit'
import { accountsByUris } from '../core/account/store.js'
import { work } from '../handlers.js'
import { lookUpAccount, resolveAccount } from './resolve.js'
import { isStale } from './rules.js'
import { isAwaitedTarget } from './store.js'

export const refreshRemote = work(refreshRemoteJob, async (ctx, { uri }, { tries }) => {
  const [row] = await accountsByUris(ctx.db, [uri])
  if (row && isStale(row, ctx.clock.now())) await resolveAccount(ctx, { uri, refresh: true })
  if (row || !(await isAwaitedTarget(ctx.db, uri))) return
  const { later } = await lookUpAccount(ctx, { uri, behind: true, awaitedAt: uri })
  // After the last try, the next fetch of the moved account queues this job again.
  if (later && tries < refreshRemoteJob.retry.times) throw notYet('The new account cannot be read yet')
})
