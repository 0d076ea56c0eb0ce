/** Complete examples of statuses and nested entities. */
import { account, at, customEmoji } from './account.js'

const site = 'https://murmuration.example'

export const usageDay = { day: '1767312000', uses: '3', accounts: '2' }
export const shallowTag = { name: 'birds', url: `${site}/tags/birds` }
export const tag = { id: '', ...shallowTag, history: [usageDay], following: true, featuring: false }

const image = { width: 640, height: 480, size: '640x480', aspect: 1.3333 }
const video = { width: 640, height: 480, frame_rate: '30/1', duration: 4.2, bitrate: 128_000 }
const audio = { duration: 60.5, bitrate: 128_000 }
export const mediaMeta = {
  original: image,
  small: image,
  focus: { x: -0.5, y: 1 },
  colors: { background: '#000000', foreground: '#FFFFFF', accent: '#336699' },
}
export const mediaAttachment = {
  id: '9',
  type: 'image',
  url: `${site}/media/9.png`,
  preview_url: `${site}/media/9.small.png`,
  remote_url: null,
  preview_remote_url: null,
  text_url: null,
  meta: mediaMeta,
  description: 'A flock of starlings',
  blurhash: 'UBL_:rOpGG-oBUNG,qRj2so|=eE1w^n4S5NH',
}

export const pollOption = { title: 'Yes', votes_count: 1 }
export const poll = {
  id: '5',
  expires_at: at,
  expired: false,
  multiple: true,
  votes_count: 2,
  voters_count: 1,
  options: [pollOption, { title: 'No', votes_count: null }],
  emojis: [customEmoji],
  voted: true,
  own_votes: [1, 0],
}
const cardAuthor = { name: 'Alice', url: '', account }
export const previewCard = {
  url: 'https://news.example/birds',
  title: 'Birds',
  description: '',
  language: 'en',
  type: 'link',
  author_name: 'Alice',
  author_url: '',
  provider_name: 'News',
  provider_url: 'https://news.example',
  html: '',
  width: 0,
  height: 0,
  image: null,
  image_description: '',
  embed_url: '',
  blurhash: null,
  published_at: at,
  authors: [cardAuthor],
  missing_attribution: false,
}
export const trendsLink = { ...previewCard, history: [usageDay] }

export const filterKeyword = { id: '1', keyword: 'crow', whole_word: true }
export const filterStatus = { id: '2', status_id: '3' }
export const filterSummary = { id: '4', title: 'Crows', context: ['home'], expires_at: null, filter_action: 'warn' }
export const filter = { ...filterSummary, keywords: [filterKeyword], statuses: [filterStatus] }
export const filterResult = { filter: filterSummary, keyword_matches: ['crow'], status_matches: null }
export const v1Filter = {
  id: '1',
  phrase: 'crow',
  context: ['home', 'thread'],
  whole_word: true,
  expires_at: at,
  irreversible: false,
}

export const collectionItem = { id: '1', state: 'accepted', created_at: at, account_id: '2' }
export const collection = {
  id: '6',
  uri: `${site}/ap/users/1/collections/6`,
  url: `${site}/collections/6`,
  account_id: '1',
  name: 'Birds',
  description: '',
  language: 'en',
  local: true,
  sensitive: false,
  discoverable: true,
  tag: shallowTag,
  item_count: 1,
  items: [collectionItem],
  created_at: at,
  updated_at: at,
}

export const mention = { id: '2', username: 'bob', url: 'https://remote.example/@bob', acct: 'bob@remote.example' }
export const quoteApproval = { automatic: ['public'], manual: ['followers'], current_user: 'automatic' }
const application = { name: 'Web', website: null }
const emojiReaction = {
  name: 'blobcat',
  count: 1,
  me: false,
  url: `${site}/emoji/blobcat.png`,
  static_url: `${site}/emoji/blobcat.static.png`,
  domain: 'remote.example',
  account_ids: ['7'],
}
const common = {
  id: '115822200881276278',
  created_at: at,
  in_reply_to_id: null,
  in_reply_to_account_id: null,
  sensitive: false,
  spoiler_text: '',
  visibility: 'public',
  language: 'en',
  uri: `${site}/ap/users/1/statuses/115822200881276278`,
  url: `${site}/@alice/115822200881276278`,
  replies_count: 0,
  reblogs_count: 1,
  favourites_count: 2,
  quotes_count: 3,
  edited_at: null,
  account,
  media_attachments: [mediaAttachment],
  mentions: [mention],
  tags: [shallowTag],
  emojis: [customEmoji],
  emoji_reactions: [emojiReaction],
  card: previewCard,
  poll,
  quote_approval: quoteApproval,
  tagged_collections: [collection],
  application,
  favourited: true,
  reblogged: false,
  muted: false,
  bookmarked: false,
  filtered: [filterResult],
  pinned: false,
}
export const shallowQuote = { state: 'accepted', quoted_status_id: '3' }
export const quotedStatus = { ...common, content: '<p>Hi</p>', reblog: null, quote: shallowQuote }
export const quote = { state: 'accepted', quoted_status: quotedStatus }
export const rebloggedStatus = { ...common, content: '<p>Hi</p>', reblog: null, quote }
export const status = { ...common, content: '', reblog: rebloggedStatus, quote: null }

export const statusCases = [
  ['UsageDay', usageDay],
  ['EmojiReaction', emojiReaction],
  ['ShallowTag', shallowTag],
  ['Tag', tag],
  ['ImageGeometry', image],
  ['VideoDetails', video],
  ['AudioDetails', audio],
  ['MediaMeta', mediaMeta],
  ['MediaAttachment', mediaAttachment],
  ['PollOption', pollOption],
  ['Poll', poll],
  ['PreviewCardAuthor', cardAuthor],
  ['PreviewCard', previewCard],
  ['TrendsLink', trendsLink],
  ['FilterKeyword', filterKeyword],
  ['FilterStatus', filterStatus],
  ['FilterSummary', filterSummary],
  ['Filter', filter],
  ['FilterResult', filterResult],
  ['V1Filter', v1Filter],
  ['CollectionItem', collectionItem],
  ['Collection', collection],
  ['CollectionWithAccounts', { collection, accounts: [account] }],
  ['CollectionResult', { collection }],
  ['CollectionsResult', { collections: [collection] }],
  ['CollectionItemResult', { collection_item: collectionItem }],
  ['Mention', mention],
  ['QuoteApproval', quoteApproval],
  ['StatusApplication', application],
  ['ShallowQuote', shallowQuote],
  ['QuotedStatus', quotedStatus],
  ['Quote', quote],
  ['Quote', { state: 'unauthorized', quoted_status: null }],
  ['RebloggedStatus', rebloggedStatus],
  ['Status', status],
  ['DeletedStatus', { ...common, text: 'Hi', reblog: null, quote: null }],
] as const
