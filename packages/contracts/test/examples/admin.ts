/** Full examples of what moderators and webhooks receive. */
import { account, at, role } from './account.js'
import { status, tag, trendsLink, usageDay } from './status.js'

const hash = '0123456789abcdef'.repeat(4)
const ip = { ip: '2001:db8::1', used_at: at }
const adminAccount = {
  id: '1',
  username: 'alice',
  domain: null,
  created_at: at,
  email: 'alice@murmuration.example',
  ip: '192.0.2.1',
  ips: [ip],
  locale: 'en',
  invite_request: null,
  role,
  confirmed: true,
  approved: true,
  disabled: false,
  silenced: false,
  sensitized: false,
  suspended: false,
  account,
  created_by_application_id: '2',
  invited_by_account_id: '3',
}
const adminReport = {
  id: '1',
  action_taken: true,
  action_taken_at: at,
  category: 'violation',
  comment: '',
  forwarded: true,
  created_at: at,
  updated_at: at,
  account: adminAccount,
  target_account: { ...adminAccount, domain: 'remote.example', email: null, locale: null, approved: null, role: null },
  assigned_account: null,
  action_taken_by_account: adminAccount,
  statuses: [status],
  rules: [{ id: '1', text: 'Be kind', hint: '', translations: {} }],
}

export const adminCases = [
  ['AdminIp', ip],
  ['AdminAccount', adminAccount],
  ['AdminReport', adminReport],
  [
    'AdminDomainBlock',
    {
      id: '1',
      domain: 'bad.example',
      digest: hash,
      created_at: at,
      severity: 'noop',
      reject_media: true,
      reject_reports: false,
      private_comment: null,
      public_comment: '',
      obfuscate: false,
    },
  ],
  ['AdminDomainAllow', { id: '1', domain: 'good.example', created_at: at }],
  [
    'AdminEmailDomainBlock',
    { id: '1', domain: 'mail.example', created_at: at, allow_with_approval: false, history: [usageDay] },
  ],
  [
    'AdminIpBlock',
    { id: '1', ip: '192.0.2.1/32', severity: 'no_access', comment: '', created_at: at, expires_at: null },
  ],
  ['AdminCanonicalEmailBlock', { id: '1', canonical_email_hash: hash }],
  ['AdminTag', { ...tag, id: '1', trendable: true, usable: true, listable: true, requires_review: false }],
  ['AdminTrendsLink', { ...trendsLink, id: '1', requires_review: true }],
  ['AdminTrendsStatus', { ...status, requires_review: true }],
  [
    'AdminTrendsPublisher',
    {
      id: '1',
      domain: 'news.example',
      trendable: null,
      reviewed_at: null,
      requested_review_at: at,
      requires_review: true,
    },
  ],
  [
    'AdminMeasure',
    {
      key: 'instance_media_attachments',
      unit: 'bytes',
      total: '2048',
      human_value: '2 KB',
      previous_total: '1024',
      data: [{ date: at, value: '2048' }],
    },
  ],
  [
    'AdminDimension',
    {
      key: 'space_usage',
      data: [{ key: 'postgresql', human_key: 'PostgreSQL', value: '2048', unit: 'bytes', human_value: '2 KB' }],
    },
  ],
  ['AdminCohort', { period: at, frequency: 'day', data: [{ date: at, rate: 0.5, value: '3' }] }],
  [
    'AdminWarningPreset',
    { id: '1', title: 'Spam', text: 'Advertising is not allowed here.', created_at: at, updated_at: at },
  ],
  [
    'AdminWebhook',
    {
      id: '1',
      url: 'https://hooks.example/in',
      events: ['account.created'],
      secret: '0123456789abcdef0123456789abcdef01234567',
      template: null,
      enabled: true,
      paused_at: null,
      failing_since: at,
      last_error: 'HTTP 500',
      created_at: at,
      updated_at: at,
    },
  ],
  [
    'AdminWebhookDelivery',
    {
      id: '1',
      event: 'report.created',
      state: 'waiting',
      tries: 2,
      status: 500,
      error: 'HTTP 500',
      created_at: at,
      updated_at: at,
    },
  ],
  ['AdminWebhookTest', { delivered: true, status: 200, error: null, milliseconds: 12 }],
  ['WebhookPayload', { event: 'account.created', created_at: at, object: adminAccount }],
  ['WebhookPayload', { event: 'report.updated', created_at: at, object: adminReport }],
  ['WebhookPayload', { event: 'status.created', created_at: at, object: status }],
] as const
