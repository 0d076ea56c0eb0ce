/** Ends a push subscription by a signed address; an address that ends nothing is answered the same way. */
import { reply } from '@murmuration/contracts/kit'
import { unsubscribePush } from '@murmuration/contracts/notifications'
import { readSignedId } from '@murmuration/kernel'
import { handle } from '../../doors.js'
import { deleteSubscription } from '../../store/push-subscription.js'

export const unsubscribe = handle(unsubscribePush, async (ctx, _viewer, { token }) => {
  const id = readSignedId(ctx.secrets.unsubscribe, token, ctx.clock.now())
  if (id !== null) await deleteSubscription(ctx.db, id)
  return reply('')
})
