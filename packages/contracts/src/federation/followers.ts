/** Operations and jobs about follower synchronization between two servers (FEP-8fcf). */
import { z } from 'zod'
import { anyone, get, internal, job, operation, raw } from '../kit/index.js'
import { ACTIVITY_JSON } from './actor.js'
import { FetchOutcome } from './remote-actor.js'
import { signed, WITH_HEADERS } from './signed.js'

export const showFollowersSynchronisation = operation('federation.collection.followers-synchronisation', {
  http: [get('/ap/users/:id/followers_synchronization'), get('/users/:username/followers_synchronization')],
  viewer: anyone(),
  rawBody: WITH_HEADERS,
  input: signed('id', 'username'),
  output: raw(ACTIVITY_JSON),
  large: true,
  errors: ['unauthenticated', 'forbidden', 'not_found', 'gone'],
  about: 'Followers of an account on the server that signed the request (FEP-8fcf).',
})

export const fetchFollowers = operation('federation.fetch.followers', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  large: true,
  input: z.object({ url: z.string().max(2_048) }),
  output: z.object({
    outcome: FetchOutcome,
    uris: z.array(z.string()),
    /** Address of the next part of the list of followers; null at its end. */
    next: z.string().nullable(),
  }),
  about:
    'Fetches the local accounts that another server lists as followers of a remote account, one part of the list at a time.',
})

export const synchroniseFollowersJob = job('federation.synchronise-followers', {
  data: z.object({
    /** Account id of the remote account whose followers are synchronized. */
    account: z.string(),
    /** Address of the partial list of the remote account's followers on this server. The remote server publishes the list. */
    url: z.string(),
    /** Digest of the partial list of followers: 64 hexadecimal digits. */
    digest: z.string(),
  }),
  about: 'Compares the local followers of a remote account with the list of its server, and reconciles both.',
  retry: { delays: [30, 300], times: 3 },
  timeoutMs: 180_000,
  concurrency: 2,
})
