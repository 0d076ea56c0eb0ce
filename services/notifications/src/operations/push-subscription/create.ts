/** Makes the push subscription of this token; one that was there is replaced. */
import { fail, invalidField } from '@murmuration/contracts/kit'
import { createPushSubscription } from '@murmuration/contracts/notifications'
import { readKeys, readWishes } from '../../domain/push-subscription.js'
import { seal } from '../../domain/sealed.js'
import { tokenIdOf } from '../../domain/token.js'
import { handle } from '../../doors.js'
import { keys, lock, raised } from '../../store/barrier.js'
import { replaceSubscription } from '../../store/push-subscription.js'
import { subscriptionOf } from '../../views/push-subscription.js'

export const create = handle(createPushSubscription, async (ctx, viewer, input, request) => {
  const tokenId = tokenIdOf(request)
  const { subscription, access_token: token } = input
  if (!subscription || Object.keys(subscription).length === 0)
    throw fail('invalid', 'param is missing or the value is empty or invalid: subscription')
  if (!ctx.push.publicKey) throw fail('unavailable', 'Push messages are not set up on this server')
  if (!token) throw fail('unknown', 'There was a temporary problem serving your request, please try again')
  if (!subscription.endpoint) throw invalidField("Endpoint can't be blank")
  if (!ctx.push.accepts(subscription.endpoint)) throw invalidField('Endpoint is not a valid URL')
  const fresh = {
    token_id: tokenId,
    account_id: viewer.id,
    endpoint: subscription.endpoint,
    ...readKeys(subscription.keys),
    standard: subscription.standard ?? false,
    ...readWishes(input),
    locale: viewer.locale,
    token_sealed: seal(ctx.secrets.token, token, tokenId),
  }
  const row = await ctx.db.tx(async (tx) => {
    await lock(tx, [keys.push(viewer.id)])
    // The edge remembers tokens for some seconds; the barrier knows of a revocation that it has not heard of.
    if ((await raised(tx, [keys.token(tokenId)])).size) throw fail('unauthenticated', 'The access token was revoked')
    return replaceSubscription(tx, fresh, ctx.clock.date())
  })
  return subscriptionOf(row, ctx.push.publicKey)
})
