/** Ends the push subscription of this token; there may be none. */
import { deletePushSubscription } from '@murmuration/contracts/notifications'
import { tokenIdOf } from '../../domain/token.js'
import { handle } from '../../doors.js'
import { keys, lock } from '../../store/barrier.js'
import { deleteOfTokens } from '../../store/push-subscription.js'

export const end = handle(deletePushSubscription, async (ctx, viewer, _input, request) => {
  await ctx.db.tx(async (tx) => {
    await lock(tx, [keys.push(viewer.id)])
    await deleteOfTokens(tx, [tokenIdOf(request)])
  })
  return {}
})
