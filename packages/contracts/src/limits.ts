/** All limits of the API. Both the checks of requests and the published configuration use them. */

import { rateLimits } from './rate-limits.js'

const second = 1
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const MiB = 1_048_576

/** Limits of statuses. Lengths of texts are in characters; times are in seconds. */
const statuses = {
  /** Maximum length of content warning and text together, in grapheme clusters. */
  maxCharacters: 500,
  charactersPerUrl: 23,
  maxMedia: 4,
  maxFetched: 20,
  maxPinned: 5,
  idempotencyKeySeconds: hour,
  /** Minimum time in seconds until the publication of a scheduled status. */
  minScheduleSeconds: 5 * minute,
  maxScheduled: 300,
  maxScheduledPerDay: 25,
  deletedKeptSeconds: 30 * day,
  /** Age in seconds above which a remote status is stored but not added to feeds. */
  realTimeSeconds: 6 * hour,
} as const

/** Limits of polls. Lengths are in grapheme clusters, times in seconds. The longest time is one month of 30.436875 days. */
const polls = {
  minOptions: 2,
  maxOptions: 4,
  maxOptionCharacters: 50,
  minSeconds: 5 * minute,
  maxSeconds: 2_629_746,
} as const

/** Maximum numbers of statuses of a thread in one response. `depth` null is unlimited. */
const threads = {
  signedIn: { ancestors: 4096, descendants: 4096, depth: null },
  signedOut: { ancestors: 40, descendants: 60, depth: 20 },
} as const

/** Limits of uploads. Sizes are in bytes (a file must be smaller), areas in pixels, times in seconds. */
const media = {
  imageBytes: 16 * MiB,
  videoBytes: 99 * MiB,
  /** Maximum size of the file into which a video, sound or animation is converted. It may be larger than the upload. */
  convertedBytes: 396 * MiB,
  imagePixels: 33_177_600,
  animatedPixels: 921_600,
  videoPixels: 8_294_400,
  videoFramesPerSecond: 120,
  videoFrames: 36_000,
  storedPixels: 8_294_400,
  previewPixels: 230_400,
  previewSide: 640,
  descriptionCharacters: 10_000,
  unattachedSeconds: day,
  emojiBytes: 262_144,
  emojiShortcode: { min: 2, max: 128 },
  cardImageBytes: 8 * MiB,
  cardUrlCharacters: 2_692,
  cardRefreshSeconds: 14 * day,
  /** Media types that may be uploaded, in the order of publication. The media service publishes those that it can process. */
  mimeTypes: [
    'image/jpeg',
    'image/png',
    'image/gif',
    'image/heic',
    'image/heif',
    'image/webp',
    'image/avif',
    'video/webm',
    'video/mp4',
    'video/quicktime',
    'video/ogg',
    'audio/wave',
    'audio/wav',
    'audio/x-wav',
    'audio/x-pn-wave',
    'audio/vnd.wave',
    'audio/ogg',
    'audio/vorbis',
    'audio/mpeg',
    'audio/mp3',
    'audio/webm',
    'audio/flac',
    'audio/aac',
    'audio/m4a',
    'audio/x-m4a',
    'audio/mp4',
    'audio/3gpp',
    'video/x-ms-asf',
  ],
} as const

/** Limits of accounts. Lengths are in characters unless named otherwise; times are in seconds. */
const accounts = {
  usernameCharacters: 30,
  displayNameCharacters: 40,
  /** Maximum length of the bio in grapheme clusters. A link counts as `statuses.charactersPerUrl` characters. */
  noteCharacters: 500,
  /** Maximum length of a viewer's private note on another account. */
  privateNoteCharacters: 2_000,
  fields: 4,
  fieldNameCharacters: 255,
  fieldValueCharacters: 255,
  avatarBytes: 8 * MiB,
  avatarSide: 400,
  headerBytes: 8 * MiB,
  headerPixels: 750_000,
  avatarDescriptionCharacters: 150,
  headerDescriptionCharacters: 150,
  passwordBytes: { min: 8, max: 72 },
  emailCharacters: 320,
  attributionDomains: 100,
  featuredTags: 10,
  featuredTagSuggestions: 10,
  maxFetched: 40,
  follows: 7_500,
  /** Accounts with more than `follows` follows may follow at most this factor times their number of followers. */
  followsPerFollower: 1.1,
  lists: 50,
  listTitleCharacters: 256,
  filters: 1_000,
  filterTitleCharacters: 256,
  filterKeywordCharacters: 512,
  collectionNameCharacters: 40,
  collectionDescriptionCharacters: 100,
  collectionItems: 25,
  signUpReasonCharacters: 420,
  inviteCommentCharacters: 420,
  inviteCodeCharacters: 8,
  reportCommentCharacters: 1_000,
  moderationNoteCharacters: 2_000,
  appealCharacters: 2_000,
  appealSeconds: 20 * day,
  announcementReactions: 8,
  moveCoolDownSeconds: 30 * day,
  confirmationSeconds: 2 * day,
  unconfirmedKeptSeconds: 7 * day,
  passwordResetSeconds: 6 * hour,
  suspendedKeptSeconds: 30 * day,
  importBytes: 20 * MiB,
  importRows: 20_000,
  /** Maximum size of an imported filter file in bytes. Such a file is read as a whole. */
  importFilterBytes: 4 * MiB,
  archiveEverySeconds: 6 * day,
  archiveKeptSeconds: 7 * day,
} as const

/** Limits of OAuth applications and tokens. Lengths are in characters, times in seconds. */
const oauth = {
  appNameCharacters: 60,
  redirectUrisCharacters: 2_000,
  websiteCharacters: 2_000,
  codeSeconds: 10 * minute,
  staffTokenSeconds: 30 * day,
  staffTokenMaxSeconds: 365 * day,
} as const

/** Maximum lengths of the server's own texts, in characters. */
const instance = {
  ruleCharacters: 300,
  shortDescriptionCharacters: 200,
  thumbnailDescriptionCharacters: 200,
  activityWeeks: 12,
  /** Periods in seconds for the counts of active users. */
  activeMonthSeconds: 30 * day,
  activeHalfyearSeconds: 180 * day,
  apiVersion: 11,
} as const

/** Numbers of items per page: the default and the maximum. */
const pages = {
  statuses: { default: 20, max: 40 },
  conversations: { default: 20, max: 40 },
  accounts: { default: 40, max: 80 },
  notifications: { default: 40, max: 80 },
  unreadCount: { default: 100, max: 1_000 },
  domainBlocks: { default: 100, max: 200 },
  followedTags: { default: 100, max: 200 },
  search: { default: 20, max: 40 },
  trendsTags: { default: 10, max: 20 },
  trendsLinks: { default: 10, max: 20 },
  trendsStatuses: { default: 20, max: 40 },
  collections: { default: 40, max: 100 },
  inCollections: { default: 40, max: 80 },
  peersSearch: { default: 10, max: 10 },
  admin: { default: 100, max: 200 },
  adminDomains: { default: 100, max: 500 },
} as const

/** Limits of search without authentication, and of hashtag timelines. */
const search = {
  /** Minimum length of a query without authentication. A shorter query finds only an exact handle. */
  anonymousMinCharacters: 5,
  tagNamesPerCondition: 4,
} as const

/** Limits of home and list feeds: numbers of entries, and times. */
const feeds = {
  length: 800,
  mergedOnFollow: 200,
  rebuiltPerAccount: 400,
  /** Number of newest feed entries that are compared. A reblog is hidden if the original or another reblog of it is among them. */
  reblogWindow: 40,
  historyDays: 7,
  trendHistoryKeptDays: 14,
} as const

/** Limits of streaming connections, Web Push and grouped notifications. Times are in seconds. */
const delivery = {
  sseHeartbeatSeconds: 15,
  webSocketPingSeconds: 30,
  pushTtlSeconds: 2 * day,
  pushTries: 5,
  pushBodyCharacters: 140,
  /** Maximum number of characters (code points) of the sender's name in titles of push messages and in e-mails. */
  nameCharacters: 100,
  /** Largest plaintext for which an encrypted push message has at most 4,096 bytes (RFC 8291, 4). */
  pushBytes: 3_993,
  vapidSeconds: day,
  notificationGroupSeconds: 12 * hour,
  notificationSamples: 8,
  pendingNotificationsShown: 100,
  newAccountSeconds: 30 * day,
  newFollowerSeconds: 3 * day,
  webhookTries: 16,
  webhookSecretMinCharacters: 12,
} as const

/** All limits by topic, such as `limits.statuses.maxCharacters`. */
export const limits = {
  statuses,
  polls,
  threads,
  media,
  accounts,
  oauth,
  instance,
  pages,
  search,
  feeds,
  delivery,
  rateLimits,
} as const
