/** Event handler that deletes the push subscriptions of revoked tokens. A barrier prevents that a revoked token creates another subscription. */
import { tokenRevoked } from '@murmuration/contracts/accounts'
import { keys, putBarriers } from '../core/barrier.store.js'
import { react } from '../handlers.js'
import { deleteOfTokens } from './store.js'

export const onTokenRevoked = react(tokenRevoked, 'on-token-revoked', (ctx, e) =>
  ctx.db.tx(async (tx) => {
    await putBarriers(tx, e.tokenIds.map(keys.token))
    await deleteOfTokens(tx, e.tokenIds)
  }),
)
