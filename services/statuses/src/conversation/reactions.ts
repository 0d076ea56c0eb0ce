/**
 * When an account blocks another, removes statuses from the home feeds of both, and deletes the blocker's conversations
 * with the other.
 */
import { blockCreated } from '@murmuration/contracts/accounts'
import { removeAccountFromHome } from '../feed/index.js'
import { react } from '../handlers.js'
import { deleteConversationsWith } from './store.js'

export const onBlockCreated = react(blockCreated, 'on-block-created', async (ctx, e) => {
  await Promise.all([
    e.fromLocal ? removeAccountFromHome(ctx, e.from, e.to, 'naming') : undefined,
    e.fromLocal ? ctx.db.tx((tx) => deleteConversationsWith(tx, e.from, e.to)) : undefined,
    e.toLocal ? removeAccountFromHome(ctx, e.to, e.from, 'written') : undefined,
  ])
})
