/** Makes a push subscription, in place of the one that the same token or browser had. */
import type { WebPushSubscription } from '@murmuration/contracts/entities'
import { fail, invalidField } from '@murmuration/contracts/kit'
import type { createPushSubscription } from '@murmuration/contracts/notifications'
import type { z } from 'zod'
import type { Context } from '../context.js'
import { keys, lock, raised } from '../core/barrier.store.js'
import { replaceSubscription } from './store.js'
import { readKeys, readWishes } from './subscription.rules.js'
import { subscriptionOf } from './subscription.view.js'

export interface Subscriber {
  account: string
  locale: string
  /** Owner of the subscription: a token, or the session of a browser. */
  key: string
  /** The token that messages name. */
  token: string
}

export const subscribe = async (
  ctx: Context,
  { account, locale, key, token }: Subscriber,
  input: Pick<z.output<(typeof createPushSubscription)['input']>, 'subscription' | 'data' | 'policy'>,
): Promise<WebPushSubscription> => {
  const { subscription } = input
  if (!subscription || Object.keys(subscription).length === 0)
    throw fail('invalid', 'param is missing or the value is empty or invalid: subscription')
  if (!ctx.push.publicKey) throw fail('unavailable', 'Push messages are not set up on this server')
  if (!subscription.endpoint) throw invalidField("Endpoint can't be blank")
  if (!ctx.push.accepts(subscription.endpoint)) throw invalidField('Endpoint is not a valid URL')
  const fresh = {
    token_id: key,
    account_id: account,
    endpoint: subscription.endpoint,
    ...readKeys(subscription.keys),
    standard: subscription.standard ?? false,
    ...readWishes(input),
    locale,
    token_sealed: ctx.seal.close(token, key),
  }
  const row = await ctx.db.tx(async (tx) => {
    await lock(tx, [keys.push(account)])
    // The edge remembers tokens for some seconds; the barrier knows of a revocation that it has not heard of.
    if ((await raised(tx, [keys.token(key)])).size) throw fail('unauthenticated', 'The access token was revoked')
    return replaceSubscription(tx, fresh, ctx.clock.date())
  })
  return subscriptionOf(row, ctx.push.publicKey)
}
