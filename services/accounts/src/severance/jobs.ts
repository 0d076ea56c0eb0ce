/** Job that requests the follows again that a removed domain block had ended, one page per run. */
import { restoreFollowsJob } from '@murmuration/contracts/accounts'
import { queueNextOnce } from '@murmuration/kernel'
import { work } from '../handlers.js'
import { restoreFollows } from './restore.js'

export const restoreFollowsWork = work(restoreFollowsJob, (ctx, { domain, stamp, after }, meta) =>
  ctx.db.tx(async (tx) => {
    const next = await restoreFollows(ctx, tx, { domain, stamp }, after ?? { severance: '0', address: '' })
    if (next === null) return
    const data = { domain, stamp, after: next }
    await queueNextOnce(tx, restoreFollowsJob, meta, () => ctx.queue(tx, restoreFollowsJob, data))
  }),
)
