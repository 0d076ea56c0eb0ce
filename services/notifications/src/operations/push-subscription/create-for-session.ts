/** Makes the push subscription of a browser that is signed in; one that was there is replaced. */
import { createSessionPush } from '@murmuration/contracts/notifications'
import { subscribe } from '../../changes/subscribe.js'
import { sessionKey } from '../../domain/token.js'
import { handle } from '../../doors.js'

export const createForSession = handle(createSessionPush, (ctx, _viewer, { account, session, locale, ...input }) =>
  // A service worker asks with the cookie of its browser, so there is no token to tell.
  subscribe(ctx, { account, locale, key: sessionKey(session), token: '' }, input),
)
