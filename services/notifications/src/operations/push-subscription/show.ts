/** The push subscription of this token. */
import { notFound } from '@murmuration/contracts/kit'
import { showPushSubscription } from '@murmuration/contracts/notifications'
import { tokenIdOf } from '../../domain/token.js'
import { handle } from '../../doors.js'
import { subscriptionOfToken } from '../../store/push-subscription.js'
import { subscriptionOf } from '../../views/push-subscription.js'

export const show = handle(showPushSubscription, async (ctx, _viewer, _input, request) => {
  const row = await subscriptionOfToken(ctx.db, tokenIdOf(request))
  if (!row) throw notFound('Not Found')
  return subscriptionOf(row, ctx.push.publicKey)
})
