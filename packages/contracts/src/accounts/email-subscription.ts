/** Operation that refuses subscriptions by e-mail to the statuses of an account. */
import { z } from 'zod'
import { id, operation, optional, post, text } from '../kit/index.js'

export const createEmailSubscription = operation('accounts.email-subscription.create', {
  http: post('/api/v1/accounts/:id/email_subscriptions'),
  viewer: optional(),
  input: z.object({ id: id(), email: text(1_000).optional() }),
  output: z.object({}),
  errors: ['not_found'],
  about: 'Always not found: no account of this server offers subscriptions by e-mail.',
})
