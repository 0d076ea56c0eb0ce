/** Operations and jobs of inboxes, which receive activities from other servers. */
import { z } from 'zod'
import { STAFF_PREFIX, staffReads } from '../admin/staff.js'
import { anyone, get, job, limit, olderNames, operation, post, raw, textOrNone } from '../kit/index.js'
import { signed } from './signed.js'

/** Maximum size of an activity in bytes. */
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
  about: 'Receives a signed activity. Responds 202 when it is stored; it is processed afterwards.',
})

const Refusal = z.object({
  /** Where the activity was refused. `gate`: by the inbox endpoint, before the activity was stored. `worker`: during processing. */
  stage: z.enum([olderNames.inboxEndpoint, 'worker']),
  reason: z.string(),
  count: z.int(),
  last_at: z.string(),
})

export const inboxRefusals = operation('federation.inbox.refusals', {
  http: get(`${STAFF_PREFIX}/federation/refusals`),
  viewer: staffReads('manage_federation'),
  class: 'admin',
  input: z.object({
    /** Number of days up to today that are counted, at most 31. */
    days: limit(7, 31),
    /** Counts only refused activities whose sender claimed to be from this host. */
    host: textOrNone(255).optional(),
  }),
  output: z.object({
    /**
     * Reasons of refusals with their counts, the most frequent first. With `host` in the request the counts are of this
     * host, otherwise of all hosts.
     */
    refusals: z.array(
      Refusal.extend({
        /** Host that the sender of the last refused activity claimed to be from; null if none. */
        last_host: z.string().nullable(),
      }),
    ),
    /** The 100 hosts with the most refused activities. Only 5,000 hosts per day are counted separately; `refusals` counts all. */
    hosts: z.array(Refusal.extend({ host: z.string() })),
    /** Number of refused activities of each day, oldest day first. */
    days: z.array(z.object({ day: z.string(), count: z.int() })),
  }),
  about: 'Activities that the inboxes refused, by reason, by host and by day.',
})

export const processActivity = job('federation.process', {
  data: z.object({
    /** Ids of activities that were received together. */
    ids: z.array(z.string()).max(100).default([]),
    /** Id of a single activity; sent by older releases. */
    id: z.string().optional(),
    /** True if the processing of these activities began before, so that an earlier try may already have made their changes. */
    again: z.boolean().optional(),
    /** Number of tries before the activities were held back and queued again. */
    tried: z.number().int().optional(),
  }),
  about: 'Processes activities that inboxes accepted.',
  timeoutMs: 60_000,
  concurrency: 8,
})

export const consultOriginJob = job('federation.consult-origin', {
  data: z.object({ uri: z.string() }),
  about: 'Fetches a status from its own server, because an activity about it was forwarded without proof.',
  retry: { delays: [30, 120, 600], times: 3 },
  timeoutMs: 60_000,
  concurrency: 4,
})
