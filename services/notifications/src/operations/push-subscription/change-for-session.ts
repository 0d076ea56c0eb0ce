/** Replaces which notifications are pushed to a browser that is signed in. */
import { notFound } from '@murmuration/contracts/kit'
import { changeSessionPush } from '@murmuration/contracts/notifications'
import { readWishes } from '../../domain/push-subscription.js'
import { sessionKey } from '../../domain/token.js'
import { handle } from '../../doors.js'
import { keys, lock } from '../../store/barrier.js'
import { changeSubscription, subscriptionOfToken } from '../../store/push-subscription.js'
import { subscriptionOf } from '../../views/push-subscription.js'

export const changeForSession = handle(
  changeSessionPush,
  async (ctx, _viewer, { account, session, locale, id, ...input }) => {
    const wishes = { ...readWishes(input), locale }
    const key = sessionKey(session)
    const row = await ctx.db.tx(async (tx) => {
      await lock(tx, [keys.push(account)])
      return (await subscriptionOfToken(tx, key))?.id === id ? changeSubscription(tx, key, wishes) : null
    })
    if (!row) throw notFound('Not Found')
    return subscriptionOf(row, ctx.push.publicKey)
  },
)
