/** Notification requests: senders whose filtered notifications the viewer can accept or dismiss. */
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
  output: pageOf(NotificationRequest, 'C'),
  about: 'Senders who wait for a decision, newest first.',
})

export const showRequest = operation('notifications.request.show', {
  http: get('/api/v1/notifications/requests/:id'),
  viewer: reads,
  input: z.object({ id: id() }),
  output: NotificationRequest,
  errors: ['not_found'],
  about: 'One sender who waits for a decision.',
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
export const acceptRequest = decide('accept', 'Lets a sender through from now on, and what they sent so far.')
export const dismissRequest = decide('dismiss', 'Removes a request and the notifications that it holds.')

const decideMany = (verb: 'accept' | 'dismiss', about: string) =>
  operation(`notifications.request.${verb}-many`, {
    http: post(`/api/v1/notifications/requests/${verb}`),
    viewer: writes,
    input: z.object({ id: ids(1_000).optional() }),
    output: z.object({}),
    about,
  })
export const acceptRequests = decideMany('accept', 'Lets several senders through; unknown requests are ignored.')
export const dismissRequests = decideMany('dismiss', 'Removes several requests; unknown ones are ignored.')

export const requestsMerged = operation('notifications.request.merged', {
  http: get('/api/v1/notifications/requests/merged'),
  viewer: reads,
  input: z.object({}),
  output: NotificationRequestsMerged,
  about: 'Whether everything that accepted requests held is in the list by now.',
})

export const mergeRequestJob = job('notifications.merge-request', {
  data: z.object({ recipient: z.string(), from: z.string() }),
  about: 'Lets what an accepted request held into the list.',
})
