/** Nobody here offers subscriptions by e-mail; clients learn it as from any server on which they are off. */
import { emailSubscriptionCreate } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { livingAccount } from '../core/visible-account.js'
import { handle } from '../doors.js'

export const createEmailSubscription = handle(emailSubscriptionCreate, async (ctx, _viewer, { id }) => {
  await livingAccount(ctx, id)
  throw notFound('Not Found')
})
