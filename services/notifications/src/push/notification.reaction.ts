/** Reaction to a new notification: queues push messages, and an e-mail that is sent later if the account has not read it by then. */
import { NotificationType } from '@murmuration/contracts/entities'
import { notificationCreated, sendPushJob } from '@murmuration/contracts/notifications'
import { once } from '@murmuration/kernel'
import { react } from '../handlers.js'
import { insertWaitingNotification, mailChoiceOf, mailDelay, seesItLive } from '../mail/index.js'
import { subscriptionsWanting } from './store.js'

export const onNotificationCreated = react(notificationCreated, 'on-notification-created', async (ctx, e) => {
  if (e.filtered) return
  const [subscriptions, choice] = await Promise.all([
    ctx.push.publicKey ? subscriptionsWanting(ctx.db, e.recipient, NotificationType.parse(e.type)) : [],
    mailChoiceOf(ctx.db, e.recipient),
  ])
  const pushed = subscriptions.length > 0
  const wanted = mailDelay(choice, e.type, pushed)
  const delay = wanted !== null && (await seesItLive(ctx, choice, e.recipient)) ? null : wanted
  if (!pushed && delay === null) return
  await ctx.db.tx((tx) =>
    once(tx, e, async () => {
      await ctx.queue(tx, sendPushJob, ...subscriptions.map((subscription) => ({ subscription, notification: e.id })))
      if (delay !== null)
        await insertWaitingNotification(tx, {
          notification: e.id,
          recipient: e.recipient,
          dueAt: new Date(ctx.clock.now() + delay),
        })
    }),
  )
})
