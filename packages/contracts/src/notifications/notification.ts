/** Operations and events about notifications: the list, a single one, dismissal, clearing, and the unread count. */
import { z } from 'zod'
import { Notification, UnreadCount } from '../entities/index.js'
import {
  event,
  flag,
  get,
  id,
  internal,
  limit,
  linesOf,
  list,
  operation,
  optionalId,
  pageFields,
  pageOf,
  post,
  text,
  user,
} from '../kit/index.js'
import { limits } from '../limits.js'

const reads = user('read|read:notifications')
const writes = user('write|write:notifications')

/** Filters of a list of notifications. Unknown notification types are ignored. If all given types are unknown, the list is empty. */
const narrowing = {
  types: list(text(100)).optional(),
  exclude_types: list(text(100)).optional(),
  /** Account id of the sender of the notifications. With it, filtered notifications are included. */
  account_id: optionalId(),
  include_filtered: flag(),
}
/** Types that the client supports. Notifications of any other type get a fallback text. */
const supported_types = list(text(100)).optional()

export const listNotifications = operation('notifications.notification.list', {
  http: get('/api/v1/notifications'),
  viewer: reads,
  large: true,
  input: z.object({
    ...pageFields(limits.pages.notifications.default, limits.pages.notifications.max),
    ...narrowing,
    supported_types,
  }),
  output: pageOf(Notification, 'timeline', [
    'limit',
    'account_id',
    'types',
    'exclude_types',
    'include_filtered',
    'supported_types',
  ]),
  about: 'Notifications of the viewer, newest first.',
})

export const showNotification = operation('notifications.notification.show', {
  http: get('/api/v1/notifications/:id'),
  viewer: reads,
  input: z.object({ id: id(), supported_types }),
  output: Notification,
  errors: ['not_found'],
  about: 'One notification.',
})

export const dismissNotification = operation('notifications.notification.dismiss', {
  http: post('/api/v1/notifications/:id/dismiss'),
  viewer: writes,
  input: z.object({ id: id() }),
  output: z.object({}),
  errors: ['not_found'],
  about: 'Deletes one notification.',
})

export const clearNotifications = operation('notifications.notification.clear', {
  http: [post('/api/v1/notifications/clear'), post('/api/v2/notifications/clear')],
  viewer: writes,
  input: z.object({}),
  output: z.object({}),
  about: 'Deletes all notifications of the viewer.',
})

export const unreadCount = operation('notifications.notification.unread', {
  http: get('/api/v1/notifications/unread_count'),
  viewer: reads,
  input: z.object({ limit: limit(limits.pages.unreadCount.default, limits.pages.unreadCount.max), ...narrowing }),
  output: UnreadCount,
  about: 'Number of notifications after the marker, at most `limit`.',
})

export const notificationCards = operation('notifications.notification.cards', {
  viewer: internal(),
  input: z.object({
    recipient: z.string(),
    ids: z.array(z.string()).max(80),
    /** Grant with which the streaming service proves that the recipient has an open stream. */
    grant: z.string().max(64).optional(),
  }),
  output: linesOf(Notification),
  errors: ['forbidden'],
  about: 'Notification JSON by id for its recipient. Notifications that the recipient may no longer see are left out.',
})

export const notificationCreated = event('notifications.notification.created', {
  data: z.object({ id: z.string(), recipient: z.string(), type: z.string(), from: z.string(), filtered: z.boolean() }),
  about: 'A notification of a local account was created.',
})
