/** Event handler for a new notification: queues push messages, and an e-mail that is sent later if the account has not read it by then. */
import { isNotificationType } from '@murmuration/contracts/entities'
import { notificationCreated, sendPushJob } from '@murmuration/contracts/notifications'
import { processOnce } from '@murmuration/kernel'
import { react } from '../handlers.js'
import { insertWaitingNotification, isListening, mailChoiceOf, mailDelay } from '../mail/index.js'
import { subscriptionsWanting } from './store.js'

export const onNotificationCreated = react(notificationCreated, 'on-notification-created', async (ctx, e) => {
  const { type } = e
  // During a rolling update, a newer process may announce a notification type for which this process has no texts.
  if (e.filtered || !isNotificationType(type)) return
  const [subscriptions, choice] = await Promise.all([
    ctx.push.publicKey ? subscriptionsWanting(ctx.db, e.recipient, type) : [],
    mailChoiceOf(ctx.db, e.recipient),
  ])
  const pushed = subscriptions.length > 0
  const wanted = mailDelay(choice, type, pushed)
  const delay = wanted !== null && (await isListening(ctx, choice, e.recipient)) ? null : wanted
  if (!pushed && delay === null) return
  await ctx.db.tx((tx) =>
    processOnce(tx, e, async () => {
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
