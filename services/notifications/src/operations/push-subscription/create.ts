/** Makes the push subscription of this token; one that was there is replaced. */
import { fail } from '@murmuration/contracts/kit'
import { createPushSubscription } from '@murmuration/contracts/notifications'
import { subscribe } from '../../changes/subscribe.js'
import { tokenIdOf } from '../../domain/token.js'
import { handle } from '../../doors.js'

export const create = handle(createPushSubscription, (ctx, viewer, { access_token: token, ...input }, request) => {
  const key = tokenIdOf(request)
  if (!token) throw fail('unknown', 'There was a temporary problem serving your request, please try again')
  return subscribe(ctx, { account: viewer.id, locale: viewer.locale, key, token }, input)
})
