/** Creates a push subscription in place of an existing one of the same token or browser session. */
import type { WebPushSubscription } from '@murmuration/contracts/entities'
import { fail, invalidField, missingParameter } from '@murmuration/contracts/kit'
import type { createPushSubscription } from '@murmuration/contracts/notifications'
import type { z } from 'zod'
import type { Context } from '../context.js'
import { barriersAmong, keys, lockExclusive } from '../core/barrier.store.js'
import { replaceSubscription } from './store.js'
import { readKeys, readSettings } from './subscription.rules.js'
import { subscriptionOf } from './subscription.view.js'

export interface Subscriber {
  account: string
  locale: string
  /** Key of the owner of the push subscription: a token id, or the `sessionKey` of a browser session. */
  key: string
  /** The access token that messages contain; empty for a browser session. */
  token: string
}

/**
 * Creates a push subscription. Throws if a parameter is missing or invalid, if push messages are not set up, or if the
 * token was revoked.
 */
export const subscribe = async (
  ctx: Context,
  { account, locale, key, token }: Subscriber,
  input: Pick<z.output<(typeof createPushSubscription)['input']>, 'subscription' | 'data' | 'policy'>,
): Promise<WebPushSubscription> => {
  const { subscription } = input
  if (!subscription || Object.keys(subscription).length === 0) throw missingParameter('subscription')
  if (!ctx.push.publicKey) throw fail('unavailable', 'Push messages are not set up on this server')
  if (!subscription.endpoint) throw invalidField("Endpoint can't be blank")
  if (!ctx.push.accepts(subscription.endpoint)) throw invalidField('Endpoint is not a valid URL')
  const fresh = {
    token_id: key,
    account_id: account,
    endpoint: subscription.endpoint,
    ...readKeys(subscription.keys),
    standard: subscription.standard ?? false,
    ...readSettings(input),
    locale,
    encrypted_token: ctx.secretCipher.encrypt(token, key),
  }
  const row = await ctx.db.tx(async (tx) => {
    await lockExclusive(tx, [keys.push(account)])
    // The gateway caches tokens for some seconds. The barrier shows that a token was revoked even if the gateway does not know it yet.
    if ((await barriersAmong(tx, [keys.token(key)])).size) throw fail('unauthenticated', 'The access token was revoked')
    return replaceSubscription(tx, fresh, ctx.clock.date())
  })
  return subscriptionOf(row, ctx.push.publicKey)
}
