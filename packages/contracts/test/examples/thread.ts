/** Complete examples of entities around statuses, and of lists, markers and searches. */
import { account, at, customEmoji } from './account.js'
import { collection, mediaAttachment, mention, quote, shallowTag, status, tag } from './status.js'

const scheduledParams = {
  text: 'Later',
  poll: { options: ['Yes', 'No'], expires_in: 300, multiple: false, hide_totals: false },
  media_ids: ['9'],
  sensitive: false,
  spoiler_text: null,
  visibility: 'public',
  in_reply_to_id: null,
  language: 'en',
  application_id: '3',
  allowed_mentions: null,
  quoted_status_id: null,
  quote_approval_policy: 'public',
  scheduled_at: null,
  idempotency: null,
  with_rate_limit: false,
}
const marker = { last_read_id: '115822200881276278', version: 1, updated_at: at }
const reaction = {
  name: 'starling',
  count: 2,
  url: 'https://murmuration.example/emoji/starling.gif',
  static_url: 'https://murmuration.example/emoji/starling.png',
}
const announcement = {
  id: '8',
  content: '<p>Hello</p>',
  starts_at: at,
  ends_at: at,
  all_day: false,
  published_at: at,
  updated_at: at,
  read: false,
  mentions: [mention],
  statuses: [status],
  tags: [shallowTag],
  emojis: [customEmoji],
  reactions: [{ ...reaction, me: true }],
}
const annualReportData = {
  archetype: 'oracle',
  time_series: [{ month: 12, statuses: 7, followers: -1 }],
  top_hashtags: [{ name: 'birds', count: 3 }],
  top_statuses: { by_reblogs: '4', by_favourites: null, by_replies: null },
}
const annualReport = {
  year: 2026,
  data: annualReportData,
  schema_version: 2,
  share_url: 'https://murmuration.example/@alice/wrapstodon/2026/7fa0',
  account_id: '1',
}
const asyncRefresh = { id: 'b3BhcXVl', status: 'running', result_count: null }

export const threadCases = [
  ['Context', { ancestors: [status], descendants: [] }],
  [
    'StatusEdit',
    {
      content: '<p>Hi</p>',
      spoiler_text: '',
      sensitive: false,
      created_at: at,
      account,
      media_attachments: [mediaAttachment],
      emojis: [customEmoji],
      poll: { options: [{ title: 'Yes' }] },
      quote,
    },
  ],
  ['StatusSource', { id: '1', text: 'Hi', spoiler_text: '' }],
  ['ScheduledStatusParams', scheduledParams],
  [
    'ScheduledStatus',
    {
      id: '1',
      scheduled_at: at,
      params: scheduledParams,
      media_attachments: [mediaAttachment],
      error: 'The status that is quoted does not exist any more',
    },
  ],
  [
    'Translation',
    {
      content: '<p>Hallo</p>',
      spoiler_text: '',
      language: 'de',
      detected_source_language: 'en',
      provider: 'LibreTranslate',
      poll: { id: '5', options: [{ title: 'Ja' }] },
      media_attachments: [{ id: '9', description: 'Stare' }],
    },
  ],
  ['Marker', marker],
  ['Markers', { home: marker }],
  [
    'Preferences',
    {
      'posting:default:visibility': 'public',
      'posting:default:sensitive': false,
      'posting:default:language': 'en',
      'posting:default:quote_policy': 'public',
      'reading:expand:media': 'default',
      'reading:expand:spoilers': false,
      'reading:autoplay:gifs': false,
    },
  ],
  ['List', { id: '1', title: 'Birds', replies_policy: 'list', exclusive: false }],
  ['Conversation', { id: '1', unread: true, accounts: [account], last_status: status }],
  ['Search', { accounts: [account], statuses: [status], hashtags: [tag], collections: [collection] }],
  ['Reaction', { ...reaction, me: true }],
  ['Announcement', announcement],
  ['AnnouncementReactionEvent', { ...reaction, announcement_id: '8' }],
  ['AnnualReportData', annualReportData],
  ['AnnualReport', annualReport],
  ['AnnualReports', { annual_reports: [annualReport], accounts: [account], statuses: [status] }],
  ['AnnualReportState', { state: 'eligible' }],
  ['AsyncRefresh', asyncRefresh],
  ['AsyncRefreshResult', { async_refresh: asyncRefresh }],
  ['Empty', {}],
] as const
