/** Threads: the statuses above and below one, and muting them. */
import { z } from 'zod'
import { Context, Status } from '../entities/index.js'
import { get, id, internal, job, operation, optional, post, user } from '../kit/index.js'

export const showThread = operation('statuses.thread.show', {
  http: get('/api/v1/statuses/:id/context'),
  viewer: optional('read|read:statuses'),
  cache: 'anonymous',
  large: true,
  input: z.object({ id: id() }),
  output: Context,
  errors: ['not_found'],
  about: 'The thread around a status.',
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
export const muteThread = change('mute', 'No more notifications from this thread.')
export const unmuteThread = change('unmute', 'Notifications from this thread again.')

const Ids = z.array(z.string()).max(1_000)

export const threadStandings = operation('statuses.thread.standings', {
  viewer: internal(),
  input: z.object({ status: z.string(), sender: z.string(), viewers: Ids }),
  output: z.object({
    /** Viewers who muted the thread. */
    muted: z.array(z.string()),
    /** Viewers who wrote the sender a direct status further up in the thread. */
    wrote: z.array(z.string()),
  }),
  about: 'How each of these viewers stands to the thread of a status that the sender wrote, boosted or favourited.',
})

export const repliesPage = operation('statuses.status.replies', {
  viewer: internal(),
  input: z.object({
    status: z.string(),
    /** Account id of its author. */
    author: z.string(),
    /** The author's own answers, or those of everybody else. */
    own: z.boolean(),
    after: z.string().optional(),
    limit: z.int().max(60),
  }),
  output: z.object({
    replies: z.array(z.object({ id: z.string(), uri: z.string(), local: z.boolean(), author: z.string() })),
    /** The id after which there may be more; null when this was the last page, however short the others were. */
    next: z.string().nullable(),
  }),
  about: 'Public and unlisted answers to a status, oldest first, for its collection of replies.',
})

export const contextPage = operation('statuses.status.context', {
  viewer: internal(),
  input: z.object({
    /** The status with which the conversation began. */
    root: z.string(),
    after: z.string().optional(),
    limit: z.int().max(60),
  }),
  output: z.object({
    /** Account id of who began it; null when it is not for everybody, or did not begin here. */
    author: z.string().nullable(),
    statuses: z.array(z.object({ id: z.string(), uri: z.string(), author: z.string() })),
    /** The id after which there is more; null when this was the last page. */
    next: z.string().nullable(),
  }),
  about: 'What everybody may see of a conversation that began here, oldest first.',
})

export const bringReplies = job('statuses.bring-replies', {
  data: z.object({
    /** A remote status. */
    status: z.string(),
    /** Under which id readers ask how far it is. */
    refresh: z.string(),
  }),
  about: 'Brings in what was answered to a remote status, as the servers of the thread list it.',
  retry: { delays: [15], times: 2 },
  timeoutMs: 180_000,
  concurrency: 4,
})
