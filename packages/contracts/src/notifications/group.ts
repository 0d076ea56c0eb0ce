/** Operations about grouped notifications. Accounts and statuses of the groups are listed once. */
import { z } from 'zod'
import { Account, GroupedNotificationsResults, UnreadCount } from '../entities/index.js'
import {
  flag,
  get,
  json,
  limit,
  list,
  operation,
  optionalId,
  pageFields,
  pageOf,
  post,
  text,
  textOrNone,
  user,
} from '../kit/index.js'
import { limits } from '../limits.js'

const reads = user('read|read:notifications')
const narrowing = {
  types: list(text(100)).optional(),
  exclude_types: list(text(100)).optional(),
  account_id: optionalId(),
  include_filtered: flag(),
  /** Notification types that are grouped. If absent, all types that can be grouped. */
  grouped_types: list(text(100)).optional(),
}
const supported_types = list(text(100)).optional()
const key = z.object({ group_key: text(200) })

export const listGroups = operation('notifications.group.list', {
  http: get('/api/v2/notifications'),
  viewer: reads,
  large: true,
  input: z.object({
    ...pageFields(limits.pages.notifications.default, limits.pages.notifications.max),
    ...narrowing,
    supported_types,
    expand_accounts: textOrNone(100).optional(),
  }),
  output: json(GroupedNotificationsResults, [
    'limit',
    'include_filtered',
    'types',
    'exclude_types',
    'grouped_types',
    'supported_types',
  ]),
  errors: ['invalid'],
  about: 'Notifications of the viewer in groups, newest group first.',
})

export const showGroup = operation('notifications.group.show', {
  http: get('/api/v2/notifications/:group_key'),
  viewer: reads,
  large: true,
  input: key.extend({ supported_types }),
  output: GroupedNotificationsResults,
  errors: ['not_found'],
  about: 'One group of notifications.',
})

export const groupAccounts = operation('notifications.group.accounts', {
  http: get('/api/v2/notifications/:group_key/accounts'),
  viewer: reads,
  input: key.extend(pageFields(limits.pages.accounts.default, limits.pages.accounts.max)),
  output: pageOf(Account, 'accounts'),
  about: 'All accounts of a group, latest first.',
})

export const dismissGroup = operation('notifications.group.dismiss', {
  http: post('/api/v2/notifications/:group_key/dismiss'),
  viewer: user('write|write:notifications'),
  input: key,
  output: z.object({}),
  about: 'Deletes a group of notifications.',
})

export const unreadGroups = operation('notifications.group.unread', {
  http: get('/api/v2/notifications/unread_count'),
  viewer: reads,
  input: z.object({ limit: limit(limits.pages.unreadCount.default, limits.pages.unreadCount.max), ...narrowing }),
  output: UnreadCount,
  about: 'Number of groups with a notification after the marker, at most `limit`.',
})
