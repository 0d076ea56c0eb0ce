/** Operations and events with which staff manages hashtags: list, single hashtag, decisions and statistics. */
import { z } from 'zod'
import { RestoredEntry, RestoreOutcome, StaffAct } from '../admin/staff.js'
import { AdminTag } from '../entities/index.js'
import { event, flag, get, id, internal, operation, pageFields, pageOf, put, text, user } from '../kit/index.js'
import { limits } from '../limits.js'

const { default: usual, max } = limits.pages.admin
const may = { permission: 'manage_taxonomies' }
const reads = user('admin:read', may)
const writes = user('admin:write', may)

export const listAdminTags = operation('statuses.tag-review.list', {
  http: get('/api/v1/admin/tags'),
  viewer: reads,
  class: 'admin',
  input: z.object({
    /** Prefix of the names of the hashtags that are listed. */
    name: text(1_000).optional(),
    ...pageFields(usual, max),
  }),
  output: pageOf(AdminTag, 'list', ['limit', 'name']),
  large: true,
  about: 'Hashtags that were used or followed on this server, newest first.',
})

export const showAdminTag = operation('statuses.tag-review.show', {
  http: get('/api/v1/admin/tags/:id'),
  viewer: reads,
  class: 'admin',
  input: z.object({ id: id() }),
  output: AdminTag,
  errors: ['not_found'],
  about: 'One hashtag with the decisions of staff about it.',
})

export const updateAdminTag = operation('statuses.tag-review.update', {
  http: put('/api/v1/admin/tags/:id'),
  viewer: writes,
  class: 'admin',
  input: z.object({
    id: id(),
    /** Spelling of the hashtag that is shown. Only upper and lower case may differ from its name. */
    display_name: z.union([z.null(), text(1_000)]).optional(),
    listable: flag(),
    trendable: flag(),
    usable: flag(),
  }),
  output: AdminTag,
  errors: ['not_found', 'unprocessable'],
  about: 'Sets whether a hashtag may be used, listed and trend, and its spelling. It counts as reviewed afterwards.',
})

const counted = z.object({ key: z.string(), value: z.int() })

export const measureTag = operation('statuses.tag-review.measure', {
  viewer: internal(),
  input: z.object({
    id: z.string(),
    /** First day of the period, `YYYY-MM-DD`; the next member is the last day. Uses of hashtags are stored for two weeks. */
    since: z.iso.date(),
    until: z.iso.date(),
    /** Maximum number of entries of `domains` and of `languages`. */
    largest: z.int().min(1).max(100).default(10),
  }),
  output: z.object({
    days: z.array(z.object({ day: z.string(), uses: z.int(), accounts: z.int(), servers: z.int() })),
    /** Number of different accounts that used the hashtag in the period; the next member is the number of their servers. */
    accounts: z.int(),
    servers: z.int(),
    /** Numbers of uses of the hashtag by domain (empty for this server) and by language, highest first. */
    domains: z.array(counted),
    languages: z.array(counted),
  }),
  errors: ['not_found'],
  about: 'Use of a hashtag by day, account, server and language.',
})

export const taxonomyManaged = event('statuses.taxonomy.managed', {
  data: StaffAct,
  about: 'Staff changed a hashtag, or approved or rejected a trend or a publisher.',
})

/** Maximum number of hashtags in `unusableTagsListed`, and of characters of each, so that the event fits in a message. */
export const UNUSABLE_LISTED = { tags: 2_000, characters: 100 } as const

export const unusableTagsListed = event('statuses.unusable-tag.listed', {
  data: z.object({
    /** Normalised names of all hashtags that staff made unusable, up to the maximum. */
    names: z.array(z.string()),
    /** Time of the list, by the clock of the database. It replaces an older list. */
    listedAt: z.string(),
  }),
  about: 'The hashtags that staff made unusable, after each change and every hour.',
})

export const restoreTaxonomy = operation('statuses.taxonomy.restore', {
  viewer: internal(),
  class: 'write',
  repeatable: true,
  input: z.object({
    /** Entries of the audit log. No two of the entries have the same target. */
    entries: z.array(RestoredEntry).max(500),
    /** True: only reports the outcomes, and changes nothing. */
    dry: z.boolean(),
  }),
  output: z.object({ /** Outcomes of the undo, in the order of `entries`. */ outcomes: z.array(RestoreOutcome) }),
  about: 'Undoes several actions of staff on hashtags, trends and publishers.',
})
