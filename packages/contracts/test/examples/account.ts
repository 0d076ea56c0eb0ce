/** Complete examples of accounts and nested entities. */

export const at = '2026-01-02T03:04:05.678Z'
const site = 'https://murmuration.example'

export const customEmoji = {
  shortcode: 'starling',
  url: `${site}/emoji/starling.gif`,
  static_url: `${site}/emoji/starling.png`,
  visible_in_picker: true,
  category: 'Birds',
  featured: false,
}
export const field = { name: 'Home', value: '<a href="https://alice.example">alice.example</a>', verified_at: at }
export const accountRole = { id: '3', name: 'Owner', color: '#ff3838' }
export const role = { ...accountRole, permissions: '1', highlighted: true, collection_limit: 10 }
export const featureApproval = { automatic: ['public'], manual: [], current_user: 'automatic' }

const profile = {
  id: '115822200881276277',
  username: 'alice',
  acct: 'alice@remote.example',
  display_name: 'Alice :starling:',
  locked: false,
  bot: false,
  group: false,
  discoverable: true,
  indexable: false,
  created_at: '2026-01-02T00:00:00.000Z',
  note: '<p>Birds</p>',
  url: `${site}/@alice`,
  uri: `${site}/ap/users/115822200881276277`,
  avatar: `${site}/avatars/original/missing.png`,
  avatar_static: `${site}/avatars/original/missing.png`,
  avatar_description: '',
  header: `${site}/headers/original/missing.png`,
  header_static: `${site}/headers/original/missing.png`,
  header_description: 'A flock',
  followers_count: 2,
  following_count: 3,
  statuses_count: 5,
  last_status_at: '2026-01-02',
  hide_collections: null,
  show_media: true,
  show_media_replies: true,
  show_featured: true,
  emojis: [customEmoji],
  fields: [field],
  feature_approval: featureApproval,
  noindex: false,
  roles: [accountRole],
  email_subscriptions: false,
}
export const movedAccount = { ...profile, limited: true, suspended: true, memorial: true }
export const account = { ...movedAccount, moved: movedAccount }
export const mutedAccount = { ...account, mute_expires_at: null }
export const partialAccount = {
  id: '115822200881276277',
  acct: 'alice',
  locked: false,
  bot: false,
  url: `${site}/@alice`,
  avatar: `${site}/a.png`,
  avatar_static: `${site}/a.png`,
  avatar_description: '',
}
export const featuredTag = {
  id: '7',
  name: 'Birds',
  url: `${site}/@alice/tagged/birds`,
  statuses_count: '12',
  last_status_at: '2026-01-02',
}
export const accountSource = {
  privacy: 'public',
  sensitive: false,
  language: 'en',
  note: 'Birds',
  fields: [{ name: 'Home', value: 'https://alice.example', verified_at: null }],
  follow_requests_count: 40,
  hide_collections: null,
  discoverable: null,
  indexable: false,
  attribution_domains: ['news.example'],
  quote_policy: 'public',
}
export const credentialAccount = {
  ...profile,
  moved: movedAccount,
  source: accountSource,
  role: { id: '-99', name: '', color: '', permissions: '65536', highlighted: false, collection_limit: 10 },
}
export const profileForEditing = {
  id: '115822200881276277',
  display_name: 'Alice',
  note: 'Birds',
  formatted_note: '<p>Birds</p>',
  fields: accountSource.fields,
  formatted_fields: [field],
  avatar: null,
  avatar_static: null,
  avatar_description: '',
  header: `${site}/h.png`,
  header_static: `${site}/h.png`,
  header_description: '',
  locked: false,
  bot: false,
  hide_collections: null,
  discoverable: true,
  indexable: true,
  show_media: true,
  show_media_replies: true,
  show_featured: true,
  attribution_domains: [],
  featured_tags: [featuredTag],
}
export const relationship = {
  id: '2',
  following: true,
  showing_reblogs: true,
  notifying: false,
  languages: ['en', 'zh-TW'],
  followed_by: false,
  blocking: false,
  blocked_by: false,
  muting: true,
  muting_notifications: true,
  muting_expires_at: '2026-01-02T03:04:05.678Z',
  requested: false,
  requested_by: false,
  domain_blocking: false,
  endorsed: false,
  note: '',
}
export const accountCases = [
  ['CustomEmoji', customEmoji],
  ['Field', field],
  ['AccountRole', accountRole],
  ['Role', role],
  ['FeatureApproval', featureApproval],
  ['Account', account],
  ['MovedAccount', movedAccount],
  ['MutedAccount', mutedAccount],
  ['PartialAccount', partialAccount],
  ['FeaturedTag', featuredTag],
  ['AccountSource', accountSource],
  ['CredentialAccount', credentialAccount],
  ['Profile', profileForEditing],
  ['Relationship', relationship],
  ['DomainBlockPreview', { following_count: 1, followers_count: 0 }],
  ['FamiliarFollowers', { id: '2', accounts: [account] }],
  ['Suggestion', { source: 'global', sources: ['most_followed'], account }],
] as const
