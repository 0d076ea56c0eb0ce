/** Requests of the web client, authenticated by the session cookie instead of a token. */
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
  answers: { 200: 'The subscription.', 400: 'There is no subscription in it.', ...refusals },
  json: WebPushSubscription,
  about: 'Makes the push subscription of this browser; one that was there is replaced.',
})

export const webPushChangePage = browserPage('gateway.web-client.change-subscription', {
  http: put('/api/web/push_subscriptions/:id'),
  input: changePushSubscription.input,
  session: true,
  answers: { 200: 'The subscription.', 404: 'This browser has no such subscription.', ...refusals },
  json: WebPushSubscription,
  about: 'Replaces what is pushed to this browser.',
})

export const webSettingsPage = browserPage('gateway.web-client.settings', {
  http: put('/api/web/settings'),
  input: z.object({ data: z.record(z.string(), z.unknown()) }),
  session: true,
  answers: { 200: '`{}`', 400: 'There is no `data` in it.', ...refusals },
  json: z.object({}),
  about: 'Replaces what a web client remembers of the person.',
})
