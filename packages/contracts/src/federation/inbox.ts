/** Inboxes: where other servers deliver activities. */
import { z } from 'zod'
import { anyone, internal, operation, post, raw } from '../kit/index.js'
import { signed } from './signed.js'

/** Most bytes of an activity. */
export const MAX_ACTIVITY = 1_048_576

export const receiveActivity = operation('federation.inbox.receive', {
  http: [post('/inbox'), post('/ap/users/:id/inbox'), post('/users/:username/inbox'), post('/actor/inbox')],
  viewer: anyone(),
  class: 'inbox',
  repeatable: true,
  batchable: true,
  rawBody: MAX_ACTIVITY,
  input: signed('id', 'username'),
  output: raw('text/plain; charset=utf-8'),
  errors: ['invalid', 'unauthenticated', 'forbidden', 'not_found', 'gone', 'too_large', 'rate_limited', 'unavailable'],
  about: 'Takes a signed activity: answered 202 once it is stored, worked on afterwards.',
})

export const inboxRefusals = operation('federation.inbox.refusals', {
  viewer: internal(),
  class: 'admin',
  input: z.object({
    /** Today and so many days before, less one. */
    days: z.int().min(1).max(31).default(7),
  }),
  output: z.object({
    refusals: z.array(
      z.object({
        /** `gate` before anything was stored, `worker` afterwards. */
        stage: z.enum(['gate', 'worker']),
        reason: z.string(),
        count: z.int(),
        /** Of the last one: the host it claimed to speak for, when it said so. */
        last_host: z.string().nullable(),
        last_at: z.string(),
      }),
    ),
  }),
  about: 'What the inboxes did not take lately: how often for which reason, the most frequent first.',
})
