/** A dead token's push subscription goes with it, and none can be made for it any more. */
import { tokenRevoked } from '@murmuration/contracts/accounts'
import { react } from '../doors.js'
import { keys, raise } from '../store/barrier.js'
import { deleteOfTokens } from '../store/push-subscription.js'

export const onTokenRevoked = react(tokenRevoked, 'on-token-revoked', (ctx, e) =>
  ctx.db.tx(async (tx) => {
    await raise(tx, e.tokenIds.map(keys.token))
    await deleteOfTokens(tx, e.tokenIds)
  }),
)
