/** Replaces which notifications are pushed. */
import { notFound } from '@murmuration/contracts/kit'
import { changePushSubscription } from '@murmuration/contracts/notifications'
import { readWishes } from '../../domain/push-subscription.js'
import { tokenIdOf } from '../../domain/token.js'
import { handle } from '../../doors.js'
import { keys, lock } from '../../store/barrier.js'
import { changeSubscription } from '../../store/push-subscription.js'
import { subscriptionOf } from '../../views/push-subscription.js'

export const change = handle(changePushSubscription, async (ctx, viewer, input, request) => {
  const wishes = { ...readWishes(input), locale: viewer.locale }
  const row = await ctx.db.tx(async (tx) => {
    await lock(tx, [keys.push(viewer.id)])
    return changeSubscription(tx, tokenIdOf(request), wishes)
  })
  if (!row) throw notFound('Not Found')
  return subscriptionOf(row, ctx.push.publicKey)
})
