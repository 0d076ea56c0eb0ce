/** Operations and jobs about threads: the statuses above and below a status, and muting of threads. */
import { z } from 'zod'
import { Context, Status } from '../entities/index.js'
import { get, Ids, id, internal, job, olderNames, operation, optional, post, user } from '../kit/index.js'

export const showThread = operation('statuses.thread.show', {
  http: get('/api/v1/statuses/:id/context'),
  viewer: optional('read|read:statuses'),
  cache: 'anonymous',
  large: true,
  input: z.object({ id: id() }),
  output: Context,
  errors: ['not_found'],
  about: 'The statuses above and below a status in its thread.',
})

const change = (verb: 'mute' | 'unmute', about: string) =>
  operation(`statuses.thread.${verb}`, {
    http: post(`/api/v1/statuses/:id/${verb}`),
    viewer: user('write|write:mutes'),
    input: z.object({ id: id() }),
    output: Status,
    errors: ['not_found'],
    about,
  })
export const muteThread = change('mute', 'Mutes the thread of a status: the viewer gets no notifications about it.')
export const unmuteThread = change('unmute', 'Unmutes the thread of a status.')

export const threadStates = operation(olderNames.threadStates, {
  viewer: internal(),
  input: z.object({ status: z.string(), sender: z.string(), viewers: Ids }),
  output: z.object({
    /** Account ids of viewers who muted the thread. */
    muted: z.array(z.string()),
    /** Account ids of viewers whose direct status to the sender is above this status in the thread. */
    wrote: z.array(z.string()),
  }),
  about: 'Viewers who muted the thread of a status, and viewers who wrote its sender a direct status in it.',
})

export const repliesPage = operation('statuses.status.replies', {
  viewer: internal(),
  input: z.object({
    status: z.string(),
    /** Account id of the author of the status. */
    author: z.string(),
    /** True: only replies by the author of the status. False: only replies by other accounts. */
    own: z.boolean(),
    after: z.string().optional(),
    limit: z.int().max(60),
  }),
  output: z.object({
    replies: z.array(z.object({ id: z.string(), uri: z.string(), local: z.boolean(), author: z.string() })),
    /** Id after which the next page begins; null after the last page. A page that is not full may be followed by another. */
    next: z.string().nullable(),
  }),
  about: 'Public and unlisted replies to a status, oldest first, for its collection of replies.',
})

export const contextPage = operation('statuses.status.context', {
  viewer: internal(),
  input: z.object({
    /** Id of the status with which the conversation began. */
    root: z.string(),
    after: z.string().optional(),
    limit: z.int().max(60),
  }),
  output: z.object({
    /** Account id of the author of `root`; null when that status is remote, or neither public nor unlisted. */
    author: z.string().nullable(),
    statuses: z.array(z.object({ id: z.string(), uri: z.string(), author: z.string() })),
    /** Id after which the next page begins; null after the last page. */
    next: z.string().nullable(),
  }),
  about: 'Public and unlisted statuses of a conversation that a local status began, oldest first.',
})

export const fetchRepliesJob = job('statuses.bring-replies', {
  data: z.object({
    /** Id of the remote status whose replies are fetched. */
    status: z.string(),
    /** Id of the async refresh with which clients poll the progress. */
    refresh: z.string(),
  }),
  about: 'Fetches the replies to a remote status, as the servers of the thread list them.',
  retry: { delays: [15], times: 2 },
  timeoutMs: 180_000,
  concurrency: 4,
})
