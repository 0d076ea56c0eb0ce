/**
 * Operations and jobs about notification requests: senders whose filtered notifications the viewer can accept or
 * dismiss.
 */
import { z } from 'zod'
import { NotificationRequest, NotificationRequestsMerged } from '../entities/index.js'
import { get, id, ids, job, operation, page, pageOf, post, user } from '../kit/index.js'

const reads = user('read|read:notifications')
const writes = user('write|write:notifications')

export const listRequests = operation('notifications.request.list', {
  http: get('/api/v1/notifications/requests'),
  viewer: reads,
  large: true,
  input: page({ usual: 40 }),
  output: pageOf(NotificationRequest, 'list'),
  about: 'Notification requests, newest first.',
})

export const showRequest = operation('notifications.request.show', {
  http: get('/api/v1/notifications/requests/:id'),
  viewer: reads,
  input: z.object({ id: id() }),
  output: NotificationRequest,
  errors: ['not_found'],
  about: 'One notification request.',
})

const decide = (verb: 'accept' | 'dismiss', about: string) =>
  operation(`notifications.request.${verb}`, {
    http: post(`/api/v1/notifications/requests/:id/${verb}`),
    viewer: writes,
    input: z.object({ id: id() }),
    output: z.object({}),
    errors: ['not_found'],
    about,
  })
export const acceptRequest = decide(
  'accept',
  'Accepts a notification request: earlier and later notifications of the sender are no longer filtered.',
)
export const dismissRequest = decide('dismiss', 'Deletes a notification request with its notifications.')

const decideMany = (verb: 'accept' | 'dismiss', about: string) =>
  operation(`notifications.request.${verb}-many`, {
    http: post(`/api/v1/notifications/requests/${verb}`),
    viewer: writes,
    input: z.object({ id: ids(1_000).optional() }),
    output: z.object({}),
    about,
  })
export const acceptRequests = decideMany('accept', 'Accepts several notification requests. Unknown ones are ignored.')
export const dismissRequests = decideMany('dismiss', 'Deletes several notification requests. Unknown ones are ignored.')

export const requestsMerged = operation('notifications.request.merged', {
  http: get('/api/v1/notifications/requests/merged'),
  viewer: reads,
  input: z.object({}),
  output: NotificationRequestsMerged,
  about: 'Whether the notifications of all accepted requests are in the list.',
})

export const mergeRequestJob = job('notifications.merge-request', {
  data: z.object({ recipient: z.string(), from: z.string() }),
  about: 'Moves the notifications of an accepted request into the list.',
})
