/** Hashtags as staff manages them: listed, shown, and limited in their use. */
import { z } from 'zod'
import { RestoredEntry, RestoreOutcome, StaffAct } from '../admin/staff.js'
import { AdminTag } from '../entities/index.js'
import { event, flag, get, id, internal, operation, pageFields, pageOf, put, text, user } from '../kit/index.js'
import { limits } from '../limits.js'

const { default: usual, max: most } = limits.pages.admin
const may = { permission: 'manage_taxonomies' }
const reads = user('admin:read', may)
const writes = user('admin:write', may)

export const listAdminTags = operation('statuses.tag-review.list', {
  http: get('/api/v1/admin/tags'),
  viewer: reads,
  class: 'admin',
  input: z.object({
    /** Only hashtags whose name begins with this. */
    name: text(1_000).optional(),
    ...pageFields(usual, most),
  }),
  output: pageOf(AdminTag, 'C', ['limit', 'name']),
  large: true,
  about: 'Every hashtag that was used or followed here, the newest first.',
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
    /** Another spelling of the same name, such as other capital letters. */
    display_name: z.union([z.null(), text(1_000)]).optional(),
    listable: flag(),
    trendable: flag(),
    usable: flag(),
  }),
  output: AdminTag,
  errors: ['not_found', 'unprocessable'],
  about:
    'Decides whether a hashtag may be used, trend and be listed, and how it is spelled; it counts as reviewed after that.',
})

const counted = z.object({ key: z.string(), value: z.int() })

export const measureTag = operation('statuses.tag-review.measure', {
  viewer: internal(),
  input: z.object({
    id: z.string(),
    /** Days `YYYY-MM-DD`, both included; uses are kept for two weeks. */
    since: z.iso.date(),
    until: z.iso.date(),
    /** Most entries of `domains` and `languages`. */
    largest: z.int().min(1).max(100).default(10),
  }),
  output: z.object({
    days: z.array(z.object({ day: z.string(), uses: z.int(), accounts: z.int(), servers: z.int() })),
    /** Distinct accounts and servers of all days. */
    accounts: z.int(),
    servers: z.int(),
    /** Uses by domain, empty for this server, and by language, the most frequent first. */
    domains: z.array(counted),
    languages: z.array(counted),
  }),
  errors: ['not_found'],
  about: 'How much a hashtag was used by day, by how many accounts and servers, and where.',
})

export const taxonomyManaged = event('statuses.taxonomy.managed', {
  data: StaffAct,
  about: 'Staff changed a hashtag, or approved or rejected a trend or a publisher.',
})

export const taxonomyRestore = operation('statuses.taxonomy.restore', {
  viewer: internal(),
  class: 'write',
  repeatable: true,
  input: z.object({
    /** Entries about different things. */
    entries: z.array(RestoredEntry).max(500),
    /** Only says what would happen. */
    dry: z.boolean(),
  }),
  output: z.object({ /** In the order of the entries. */ outcomes: z.array(RestoreOutcome) }),
  about: 'Undoes several actions of staff on hashtags, trends and publishers.',
})
