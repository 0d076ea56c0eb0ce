/** Renders push subscription JSON. */
import type { WebPushSubscription } from '@murmuration/contracts/entities'
import type { PushSubscriptionRow } from './store.js'

/** JSON of a push subscription. `serverKey`: the VAPID public key with which the client must have subscribed. */
export const subscriptionOf = (row: PushSubscriptionRow, serverKey: string): WebPushSubscription => ({
  id: row.id,
  endpoint: row.endpoint,
  standard: row.standard,
  alerts: row.alerts,
  policy: row.policy,
  server_key: serverKey,
})
