/** Handlers of push subscriptions. */
import { fail, notFound, reply } from '@murmuration/contracts/kit'
import {
  changePushSubscription,
  changeSessionPush,
  createPushSubscription,
  createSessionPush,
  deletePushSubscription,
  showPushSubscription,
  unsubscribePush,
} from '@murmuration/contracts/notifications'
import { readSignedId } from '@murmuration/kernel'
import { keys, lockExclusive } from '../core/barrier.store.js'
import { handle } from '../handlers.js'
import { changeSubscription, deleteOfTokens, deleteSubscription, subscriptionOfToken } from './store.js'
import { subscribe } from './subscribe.js'
import { readSettings } from './subscription.rules.js'
import { subscriptionOf } from './subscription.view.js'
import { sessionKey, tokenIdOf } from './token.rules.js'

/** Returns the push subscription of the access token. */
export const show = handle(showPushSubscription, async (ctx, _viewer, _input, request) => {
  const row = await subscriptionOfToken(ctx.db, tokenIdOf(request))
  if (!row) throw notFound('Not Found')
  return subscriptionOf(row, ctx.push.publicKey)
})

/** Creates the push subscription of the access token, in place of an existing one. */
export const create = handle(createPushSubscription, (ctx, viewer, { access_token: token, ...input }, request) => {
  const key = tokenIdOf(request)
  if (!token) throw fail('unknown', 'There was a temporary problem serving your request, please try again')
  return subscribe(ctx, { account: viewer.id, locale: viewer.locale, key, token }, input)
})

/** Replaces alerts, policy and locale of the push subscription of the access token. Responds 404 if there is none. */
export const change = handle(changePushSubscription, async (ctx, viewer, input, request) => {
  const settings = { ...readSettings(input), locale: viewer.locale }
  const row = await ctx.db.tx(async (tx) => {
    await lockExclusive(tx, [keys.push(viewer.id)])
    return changeSubscription(tx, tokenIdOf(request), settings)
  })
  if (!row) throw notFound('Not Found')
  return subscriptionOf(row, ctx.push.publicKey)
})

/** Deletes the push subscription of the access token. Succeeds also without a subscription. */
export const end = handle(deletePushSubscription, async (ctx, viewer, _input, request) => {
  await ctx.db.tx(async (tx) => {
    await lockExclusive(tx, [keys.push(viewer.id)])
    await deleteOfTokens(tx, [tokenIdOf(request)])
  })
  return {}
})

/** Deletes a push subscription by a signed link. The response is the same for an invalid link. */
export const unsubscribe = handle(unsubscribePush, async (ctx, _viewer, { token }) => {
  const id = readSignedId(ctx.secrets.unsubscribe, token, ctx.clock.now())
  if (id !== null) await deleteSubscription(ctx.db, id)
  return reply('')
})

/** Creates the push subscription of a browser session, in place of an existing one. */
export const createForSession = handle(createSessionPush, (ctx, _viewer, { account, session, locale, ...input }) =>
  // The access token in push messages is empty, because the service worker of a browser authenticates with the session cookie.
  subscribe(ctx, { account, locale, key: sessionKey(session), token: '' }, input),
)

/**
 * Replaces alerts, policy and locale of the push subscription of a browser session. Responds 404 if `id` is not the id
 * of this subscription.
 */
export const changeForSession = handle(
  changeSessionPush,
  async (ctx, _viewer, { account, session, locale, id, ...input }) => {
    const settings = { ...readSettings(input), locale }
    const key = sessionKey(session)
    const row = await ctx.db.tx(async (tx) => {
      await lockExclusive(tx, [keys.push(account)])
      return (await subscriptionOfToken(tx, key))?.id === id ? changeSubscription(tx, key, settings) : null
    })
    if (!row) throw notFound('Not Found')
    return subscriptionOf(row, ctx.push.publicKey)
  },
)
