/** What a person is told goes to those of their devices that want it. */
import { NotificationType } from '@murmuration/contracts/entities'
import { notificationCreated, sendPushJob } from '@murmuration/contracts/notifications'
import { once } from '@murmuration/kernel'
import { react } from '../doors.js'
import { subscriptionsWanting } from '../store/push-subscription.js'

export const onNotificationCreated = react(notificationCreated, 'on-notification-created', async (ctx, e) => {
  if (e.filtered || !ctx.push.publicKey) return
  const subscriptions = await subscriptionsWanting(ctx.db, e.recipient, NotificationType.parse(e.type))
  if (subscriptions.length === 0) return
  await ctx.db.tx((tx) =>
    once(tx, e, () =>
      ctx.queue(tx, sendPushJob, ...subscriptions.map((subscription) => ({ subscription, notification: e.id }))),
    ),
  )
})
