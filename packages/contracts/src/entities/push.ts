/** Schemas of Web Push: the subscription of a token, and the payload that is encrypted for the client. */
import { z } from 'zod'
import { NotificationType } from './notification-type.js'
import { Id, IntegerId, Url } from './primitive.js'

/** Policy of a push subscription: notifications by all accounts, followed accounts, followers or no accounts are pushed. */
export const PushPolicy = z
  .enum(['all', 'followed', 'follower', 'none'])
  .meta({ id: 'PushPolicy', description: 'Senders whose notifications are pushed.' })
export type PushPolicy = z.infer<typeof PushPolicy>

/** Notification types of a push subscription. Only types that the client set are present. An absent type is not pushed. */
export const PushAlerts = z
  .partialRecord(NotificationType, z.boolean())
  .meta({ id: 'PushAlerts', description: 'Pushed types of notifications; absent means off.' })
export type PushAlerts = z.infer<typeof PushAlerts>

/** A Web Push subscription. `standard` true means RFC 8291 and 8292, false their early drafts. `server_key` is the VAPID public key. */
export const WebPushSubscription = z
  .strictObject({
    id: Id,
    endpoint: Url,
    standard: z.boolean(),
    alerts: PushAlerts,
    policy: PushPolicy,
    server_key: z.string().min(1),
  })
  .meta({ id: 'WebPushSubscription', description: 'The push subscription of this token.' })
export type WebPushSubscription = z.infer<typeof WebPushSubscription>

/** Plain text of a push message. `body` has at most 140 characters. */
export const PushPayload = z
  .strictObject({
    access_token: z.string().min(1),
    preferred_locale: z.string().min(1),
    notification_id: IntegerId,
    notification_type: NotificationType,
    icon: Url,
    title: z.string(),
    body: z.string(),
  })
  .meta({ id: 'PushPayload', description: 'A decrypted push message.' })
export type PushPayload = z.infer<typeof PushPayload>
