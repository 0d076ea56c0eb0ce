/** Sends one notification to one push subscription. */
import { listViewerRelationships, loginsUsable, sessionAlive } from '@murmuration/contracts/accounts'
import type { Notification } from '@murmuration/contracts/entities'
import { notYet, olderNames } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import { sendPushJob } from '@murmuration/contracts/notifications'
import { signId } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { type NotificationRow, notificationById } from '../core/notification.store.js'
import { renderNotifications } from '../core/render.js'
import { work } from '../handlers.js'
import { isPushed } from './alert.rules.js'
import { pushMessage } from './message.js'
import {
  countFailure,
  deleteFailures,
  deleteSubscription,
  type PushSubscriptionRow,
  subscriptionById,
} from './store.js'
import { sessionOf } from './token.rules.js'

/**
 * Number of consecutive push messages that could not be delivered, and time since the first of them, after which a
 * subscription is deleted. Outages of a push service or of the network of this server are shorter.
 */
const MAX_FAILURES = 10
const MAX_FAILING_MS = 7 * 86_400_000

/** Whether the browser session of a push subscription is still valid. True for subscriptions of tokens. */
const isSignedIn = async (ctx: Context, { token_id }: PushSubscriptionRow): Promise<boolean> => {
  const session = sessionOf(token_id)
  return session === null || (await ctx.call(sessionAlive, { ids: [session] })).alive.length > 0
}

/**
 * The current language of the user of a push subscription; null if the user may not act. Disabled, suspended and moved
 * accounts keep their subscriptions and get no messages.
 */
const localeOf = async (ctx: Context, { account_id, locale }: PushSubscriptionRow): Promise<string | null> => {
  const { usable, locales } = await ctx.call(loginsUsable, { ids: [account_id] })
  if (usable.length === 0) return null
  // An accounts process of an earlier release returns no languages. The subscription has the language of its last change.
  return locales?.[account_id] || locale || ctx.policy.settings().languages[0] || 'en'
}

const mayPush = async (ctx: Context, row: NotificationRow, subscription: PushSubscriptionRow): Promise<boolean> => {
  const { [olderNames.relationships]: relationships } = await ctx.call(listViewerRelationships, {
    viewer: row.recipient_id,
    authors: [row.from_id],
  })
  return isPushed({
    policy: subscription.policy,
    alert: subscription.alerts[row.type] ?? false,
    filtered: row.filtered,
    ageSeconds: (ctx.clock.now() - row.created_at.getTime()) / 1000,
    following: relationships[row.from_id]?.following ?? false,
    followedBy: relationships[row.from_id]?.followed_by ?? false,
  })
}

/**
 * Sends a push message, unless a check ends the job before. Deletes subscriptions of ended sessions and of `gone`
 * endpoints. Drops messages that are too large for the push service. Throws `notYet` for a retry. After the last try, the
 * failure counts towards MAX_FAILURES of the subscription.
 */
export const sendPush = work(sendPushJob, async (ctx, data, meta) => {
  const [row, subscription] = await Promise.all([
    notificationById(ctx.db, data.notification),
    subscriptionById(ctx.db, data.subscription),
  ])
  if (!row || !subscription || subscription.account_id !== row.recipient_id) return
  if (!(await isSignedIn(ctx, subscription))) {
    await deleteSubscription(ctx.db, subscription.id)
    return
  }
  const locale = await localeOf(ctx, subscription)
  if (locale === null) return
  if (!(await mayPush(ctx, row, subscription))) return
  // The notification cannot be rendered if its sender was blocked, or its status was deleted or hidden meanwhile. The
  // job then ends without a message.
  const text = (await renderNotifications(ctx, row.recipient_id, [row])).get(row.id)
  const token = ctx.secretCipher.decryptOrNull(subscription.encrypted_token, subscription.token_id)
  if (text === undefined || token === null) return
  const until = ctx.clock.now() + limits.delivery.pushTtlSeconds * 1000
  const outcome = await ctx.push.send(
    subscription,
    pushMessage(JSON.parse(text) as Notification, {
      token,
      locale,
      missingIcon: `${ctx.site.origin}/avatars/original/missing.png`,
    }),
    `${ctx.site.origin}/api/web/push_subscriptions/${signId(ctx.secrets.unsubscribe, subscription.id, until)}`,
    meta.free,
  )
  if (outcome.kind === 'delivered') await deleteFailures(ctx.db, subscription.id)
  else if (outcome.kind === 'gone') await deleteSubscription(ctx.db, subscription.id)
  else if (outcome.kind === 'too_large') return
  else if (meta.tries > limits.delivery.pushTries) {
    const at = ctx.clock.date()
    const before = new Date(at.getTime() - MAX_FAILING_MS)
    await countFailure(ctx.db, subscription.id, { at, limit: MAX_FAILURES, before })
  } else
    throw notYet('The push service did not take the message', {
      ...(outcome.seconds === null ? {} : { retryAfter: outcome.seconds }),
    })
})
