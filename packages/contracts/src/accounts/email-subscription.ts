/** Subscriptions by e-mail to the statuses of an account. */
import { z } from 'zod'
import { id, operation, optional, post, text } from '../kit/index.js'

export const emailSubscriptionCreate = operation('accounts.email-subscription.create', {
  http: post('/api/v1/accounts/:id/email_subscriptions'),
  viewer: optional(),
  input: z.object({ id: id(), email: text(1_000).optional() }),
  output: z.object({}),
  errors: ['not_found'],
  about: 'Subscribes an address; nobody here can be subscribed to by e-mail, so that it is not found.',
})
