/** A block takes each side out of the other’s home feed. */
import { blockCreated } from '@murmuration/contracts/accounts'
import { takeOut } from '../changes/feed.js'
import { react } from '../doors.js'

export const onBlockCreated = react(blockCreated, 'on-block-created', async (ctx, e) => {
  await Promise.all([
    e.fromLocal ? takeOut(ctx, e.from, e.to, 'naming') : undefined,
    e.toLocal ? takeOut(ctx, e.to, e.from, 'written') : undefined,
  ])
})
