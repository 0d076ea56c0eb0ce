/** Pages for requests of the web client, authenticated by the session cookie instead of a token. */
import { z } from 'zod'
import { WebPushSubscription } from '../entities/index.js'
import { browserPage, post, put } from '../kit/index.js'
import { changePushSubscription, createPushSubscription } from '../notifications/push-subscription.js'

const refusals = {
  403: 'Whoever is signed in may not act now.',
  422: 'The proof of our form is missing (`authenticity_token`, or the header `X-CSRF-Token`), nobody is signed in, or the input is wrong.',
}

export const webPushCreatePage = browserPage('gateway.web-client.subscribe', {
  http: post('/api/web/push_subscriptions'),
  input: createPushSubscription.input,
  session: true,
  responses: { 200: 'The subscription.', 400: 'The body has no subscription.', ...refusals },
  json: WebPushSubscription,
  about: 'Creates the push subscription of this browser. An existing one is replaced.',
})

export const webPushChangePage = browserPage('gateway.web-client.change-subscription', {
  http: put('/api/web/push_subscriptions/:id'),
  input: changePushSubscription.input,
  session: true,
  responses: { 200: 'The subscription.', 404: 'This browser has no such subscription.', ...refusals },
  json: WebPushSubscription,
  about: 'Replaces the types of notifications that are pushed to this browser.',
})

export const webSettingsPage = browserPage('gateway.web-client.settings', {
  http: put('/api/web/settings'),
  input: z.object({ data: z.record(z.string(), z.unknown()) }),
  session: true,
  responses: { 200: '`{}`', 400: 'The body has no `data`.', ...refusals },
  json: z.object({}),
  about: 'Replaces the settings that a web client stores for the user.',
})
