/** Inboxes: where other servers deliver activities. */
import { anyone, operation, post, raw } from '../kit/index.js'
import { signed } from './signed.js'

/** Most bytes of an activity. */
export const MAX_ACTIVITY = 1_048_576

export const receiveActivity = operation('federation.inbox.receive', {
  http: [post('/inbox'), post('/ap/users/:id/inbox'), post('/users/:username/inbox'), post('/actor/inbox')],
  viewer: anyone(),
  class: 'inbox',
  rawBody: MAX_ACTIVITY,
  input: signed('id', 'username'),
  output: raw('text/plain; charset=utf-8'),
  errors: ['invalid', 'unauthenticated', 'forbidden', 'not_found', 'gone', 'too_large', 'rate_limited', 'unavailable'],
  about: 'Takes a signed activity: answered 202 once it is stored, worked on afterwards.',
})
