/** Complete examples of notifications, groups, reports, push and live messages. */
import { account, at, partialAccount } from './account.js'
import { collection, status } from './status.js'

export const report = {
  id: '1',
  action_taken: false,
  action_taken_at: null,
  category: 'spam',
  comment: '',
  forwarded: false,
  created_at: at,
  status_ids: ['3'],
  rule_ids: null,
  collection_ids: null,
  target_account: account,
}
const appeal = { text: 'No', state: 'pending' }
const warning = {
  id: '1',
  action: 'silence',
  text: '',
  status_ids: null,
  target_account: account,
  appeal,
  created_at: at,
}
const severance = {
  id: '1',
  type: 'domain_block',
  purged: false,
  target_name: 'remote.example',
  followers_count: 1,
  following_count: 2,
  created_at: at,
}
const fallback = { title: 'Alice signed up', summary: null, description: null }
const one = { id: '1', created_at: at, group_key: 'ungrouped-1', account, filtered: true, fallback }
const reaction = { emoji: ':blobcat:', emoji_url: 'https://murmuration.example/emoji/blobcat.png' }
const group = {
  group_key: 'favourite-3-490123',
  notifications_count: 9,
  most_recent_notification_id: 12,
  page_min_id: '1',
  page_max_id: '12',
  latest_page_notification_at: at,
  sample_account_ids: ['2', '3'],
  fallback,
}
const summary = { pending_requests_count: 1, pending_notifications_count: 2 }
const groups = [{ ...group, type: 'favourite', status_id: '3' }]

export const notificationCases = [
  ['Report', report],
  ['Appeal', appeal],
  ['AccountWarning', warning],
  ['RelationshipSeveranceEvent', severance],
  ['NotificationFallback', fallback],
  ['AnnualReportEvent', { year: '2026' }],
  ['Notification', { ...one, type: 'favourite', status, ...reaction }],
  ['Notification', { ...one, type: 'follow' }],
  ['Notification', { ...one, type: 'annual_report' }],
  ['Notification', { ...one, type: 'admin.report', report }],
  ['Notification', { ...one, type: 'severed_relationships', event: severance }],
  ['Notification', { ...one, type: 'moderation_warning', moderation_warning: warning }],
  ['Notification', { ...one, type: 'added_to_collection', collection }],
  ['NotificationGroup', groups[0]],
  ['NotificationGroup', { ...group, type: 'admin.sign_up' }],
  ['NotificationGroup', { ...group, type: 'admin.report', report }],
  ['NotificationGroup', { ...group, type: 'severed_relationships', event: severance }],
  ['NotificationGroup', { ...group, type: 'moderation_warning', moderation_warning: warning }],
  ['NotificationGroup', { ...group, type: 'annual_report', annual_report: { year: '2026' } }],
  ['NotificationGroup', { ...group, type: 'collection_update', collection }],
  [
    'GroupedNotificationsResults',
    { accounts: [account], partial_accounts: [partialAccount], statuses: [status], notification_groups: groups },
  ],
  ['UnreadCount', { count: 3 }],
  [
    'NotificationPolicy',
    {
      for_not_following: 'accept',
      for_not_followers: 'accept',
      for_new_accounts: 'accept',
      for_private_mentions: 'filter',
      for_limited_accounts: 'filter',
      for_bots: 'drop',
      summary,
    },
  ],
  [
    'V1NotificationPolicy',
    {
      filter_not_following: false,
      filter_not_followers: false,
      filter_new_accounts: false,
      filter_private_mentions: true,
      summary,
    },
  ],
  [
    'NotificationRequest',
    { id: '1', created_at: at, updated_at: at, notifications_count: '2', account, last_status: status },
  ],
  ['NotificationRequestsMerged', { merged: true }],
  [
    'WebPushSubscription',
    {
      id: '1',
      endpoint: 'https://push.example/x',
      standard: true,
      alerts: { mention: true, 'admin.sign_up': false },
      policy: 'all',
      server_key: 'BCk-QqERU0q',
    },
  ],
  ['PushAlerts', { favourite: true }],
  [
    'PushPayload',
    {
      access_token: 'x',
      preferred_locale: 'en',
      notification_id: 12,
      notification_type: 'mention',
      icon: 'https://murmuration.example/a.png',
      title: 'You were mentioned by Alice',
      body: 'Hi',
    },
  ],
  ['StreamMessage', { stream: ['hashtag', 'Birds'], event: 'update', payload: '{}', id: '42' }],
  ['StreamError', { error: 'Unknown stream type', code: 'invalid', request_id: 'x', status: 400 }],
] as const
