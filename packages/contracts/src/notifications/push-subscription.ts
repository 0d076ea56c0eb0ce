/** Operations and jobs about Web Push: the subscription of a token, at most one. */
import { z } from 'zod'
import { WebPushSubscription } from '../entities/index.js'
import {
  anyone,
  del,
  flag,
  get,
  id,
  internal,
  job,
  operation,
  post,
  put,
  raw,
  text,
  textOrNone,
  user,
} from '../kit/index.js'
import { limits } from '../limits.js'

const paths = ['/api/v1/push/subscription', '/api/v1/push/subscriptions'] as const

const wishes = {
  data: z
    .union([
      z.null(),
      z.literal(''),
      z.object({
        /** Whether each notification type is pushed, as clients send it. Unknown types are ignored. */
        alerts: z.union([z.null(), z.literal(''), z.record(z.string(), z.unknown())]).optional(),
        policy: textOrNone(100).optional(),
      }),
    ])
    .optional(),
  /** Accounts whose notifications are pushed, like `data.policy`. If both are sent, `data.policy` applies. */
  policy: textOrNone(100).optional(),
}

export const showPushSubscription = operation('notifications.push-subscription.show', {
  http: paths.map((path) => get(path)),
  viewer: user('push'),
  input: z.object({}),
  output: WebPushSubscription,
  errors: ['not_found'],
  about: 'The push subscription of this token.',
})

const subscription = z
  .union([
    z.null(),
    z.literal(''),
    z.object({
      endpoint: textOrNone(10_000).optional(),
      keys: z
        .union([
          z.null(),
          z.literal(''),
          z.object({ p256dh: textOrNone(1_000).optional(), auth: textOrNone(1_000).optional() }),
        ])
        .optional(),
      standard: flag().optional(),
    }),
  ])
  .optional()

export const createPushSubscription = operation('notifications.push-subscription.create', {
  http: paths.map((path) => post(path)),
  viewer: user('push'),
  wantsToken: true,
  input: z.object({
    /** Push subscription of the browser or device. The notifications service validates it. */
    subscription,
    ...wishes,
    /**
     * Access token with which the subscription was created. The gateway sets it. Push messages contain the token,
     * because clients expect it.
     */
    access_token: text(512).optional(),
  }),
  output: WebPushSubscription,
  errors: ['invalid', 'unprocessable', 'unavailable'],
  about: 'Creates the push subscription of this token. An existing one is replaced.',
})

export const changePushSubscription = operation('notifications.push-subscription.change', {
  http: paths.map((path) => put(path)),
  viewer: user('push'),
  input: z.object(wishes),
  output: WebPushSubscription,
  errors: ['not_found', 'unprocessable'],
  about: 'Replaces the types of notifications that are pushed. Absent types are off.',
})

export const deletePushSubscription = operation('notifications.push-subscription.delete', {
  http: paths.map((path) => del(path)),
  viewer: user('push'),
  input: z.object({}),
  output: z.object({}),
  about: 'Deletes the push subscription of this token.',
})

export const unsubscribePush = operation('notifications.push-subscription.unsubscribe', {
  http: del('/api/web/push_subscriptions/:token'),
  viewer: anyone(),
  input: z.object({ token: text(2_000) }),
  output: raw('text/plain; charset=utf-8'),
  about: 'Deletes a push subscription by the signed address that every push message contains.',
})

/** Push subscription of the web client, which belongs to a browser session instead of a token. */
const browser = { account: z.string(), session: z.string(), locale: z.string() }

export const createSessionPush = operation('notifications.push-subscription.create-for-session', {
  viewer: internal(),
  class: 'write',
  input: z.object({ ...browser, subscription, ...wishes }),
  output: WebPushSubscription,
  errors: ['invalid', 'unprocessable', 'unavailable'],
  about: 'Creates the push subscription of a browser session.',
})

export const changeSessionPush = operation('notifications.push-subscription.change-for-session', {
  viewer: internal(),
  class: 'write',
  input: z.object({ ...browser, id: id(), ...wishes }),
  output: WebPushSubscription,
  errors: ['not_found', 'unprocessable'],
  about: 'Replaces the types of notifications that are pushed to a browser session.',
})

export const sendPushJob = job('notifications.send-push', {
  data: z.object({ subscription: z.string(), notification: z.string() }),
  about: 'Encrypts one notification for one push subscription and sends it.',
  retry: { delays: [2, 15, 120, 600, 3_600], times: limits.delivery.pushTries + 1 },
  timeoutMs: 25_000,
  concurrency: 32,
})
