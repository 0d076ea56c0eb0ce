/** Refuses subscriptions by e-mail with a 404 error, like servers on which this feature is off. */
import { createEmailSubscription } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { activeAccount } from '../core/account/visible-account.js'
import { handle } from '../handlers.js'

export const create = handle(createEmailSubscription, async (ctx, _viewer, { id }) => {
  await activeAccount(ctx, id)
  throw notFound('Not Found')
})
