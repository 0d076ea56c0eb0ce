/** Push subscription JSON. */
import type { WebPushSubscription } from '@murmuration/contracts/entities'
import type { PushSubscriptionRow } from './store.js'

/** `serverKey` is the VAPID public key that the client must have subscribed with. */
export const subscriptionOf = (row: PushSubscriptionRow, serverKey: string): WebPushSubscription => ({
  id: row.id,
  endpoint: row.endpoint,
  standard: row.standard,
  alerts: row.alerts,
  policy: row.policy,
  server_key: serverKey,
})
