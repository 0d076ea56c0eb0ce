/** Operations about the notification policy of the viewer: which senders are accepted, filtered or dropped. */
import { z } from 'zod'
import { NotificationPolicy, V1NotificationPolicy } from '../entities/index.js'
import { flag, get, operation, put, textOrNone, user } from '../kit/index.js'

const reads = user('read|read:notifications')
const writes = user('write|write:notifications')
const choice = textOrNone(100).optional()

export const showPolicy = operation('notifications.policy.show', {
  http: get('/api/v2/notifications/policy'),
  viewer: reads,
  input: z.object({}),
  output: NotificationPolicy,
  about: 'Notification policy of the viewer.',
})

export const changePolicy = operation('notifications.policy.change', {
  http: [put('/api/v2/notifications/policy')],
  viewer: writes,
  input: z.object({
    for_not_following: choice,
    for_not_followers: choice,
    for_new_accounts: choice,
    for_private_mentions: choice,
    for_limited_accounts: choice,
    for_bots: choice,
  }),
  output: NotificationPolicy,
  errors: ['unprocessable'],
  about: 'Changes the notification policy of the viewer. Absent members stay unchanged.',
})

export const showFilters = operation('notifications.policy.show-filters', {
  http: get('/api/v1/notifications/policy'),
  viewer: reads,
  input: z.object({}),
  output: V1NotificationPolicy,
  about: 'Notification policy of the viewer, in the form of API v1.',
})

export const changeFilters = operation('notifications.policy.change-filters', {
  http: [put('/api/v1/notifications/policy')],
  viewer: writes,
  input: z.object({
    filter_not_following: flag(),
    filter_not_followers: flag(),
    filter_new_accounts: flag(),
    filter_private_mentions: flag(),
  }),
  output: V1NotificationPolicy,
  about: 'Changes the notification policy in the form of API v1. Absent members stay unchanged.',
})
