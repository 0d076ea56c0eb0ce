/** Threads: what stands above and below a status, and silence about one. */
import { z } from 'zod'
import { Context, Status } from '../entities/index.js'
import { get, id, operation, optional, post, user } from '../kit/index.js'

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
