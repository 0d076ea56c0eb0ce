/**
 * Job that unfilters the notifications of an accepted request in steps. After the last step, it sends
 * `notifications_merged` to open streams.
 */
import { mergeRequestJob } from '@murmuration/contracts/notifications'
import type { LiveMessage } from '@murmuration/contracts/statuses'
import { publishCoreMessage, queueNextOnce } from '@murmuration/kernel'
import { work } from '../handlers.js'
import { endMerge, mergeStep } from './merge.store.js'

export const mergeRequest = work(mergeRequestJob, async (ctx, { recipient, from }, meta) => {
  await ctx.db.tx(async (tx) => {
    if (await mergeStep(tx, recipient, from))
      return queueNextOnce(tx, mergeRequestJob, meta, () => ctx.queue(tx, mergeRequestJob, { recipient, from }))
    if (!(await endMerge(tx, recipient, from))) return
    const message: LiveMessage = { e: 'notifications_merged', payload: '1' }
    tx.onCommit(() => publishCoreMessage(ctx.nc, `live.user.${recipient}`, JSON.stringify(message)))
  })
})
