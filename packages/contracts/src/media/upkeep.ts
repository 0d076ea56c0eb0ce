/**
 * Operations with which staff and operators maintain stored files: usage, cached remote files, orphaned files, and
 * lookup.
 */
import { z } from 'zod'
import { STAFF_PREFIX, staffReads, staffWrites } from '../admin/staff.js'
import { flagOr, id, int, internal, operation, post, text, textOrNone } from '../kit/index.js'
import { Task } from '../task.js'

const writes = staffWrites('view_devops')
const days = () => int().pipe(z.int().min(0).max(36_500))

export const mediaUsage = operation('media.upkeep.usage', {
  http: post(`${STAFF_PREFIX}/media/usage`),
  viewer: writes,
  class: 'admin',
  input: z.object({}),
  output: Task,
  errors: ['unprocessable'],
  about:
    'Starts a task that sums the sizes of stored files in bytes: local and remote attachments, avatars, headers and emoji.',
})

export const removeMedia = operation('media.upkeep.remove', {
  http: post(`${STAFF_PREFIX}/media/remove`),
  viewer: writes,
  class: 'admin',
  input: z.object({
    /** Only copies older than this number of days. */ days: days().default(7),
    dry_run: flagOr(false),
  }),
  output: Task,
  errors: ['unprocessable'],
  about: 'Starts a task that removes copies of remote attachments. They are fetched again when a user views them.',
})

export const removeOrphanedMedia = operation('media.upkeep.remove-orphans', {
  http: post(`${STAFF_PREFIX}/media/orphans`),
  viewer: writes,
  class: 'admin',
  input: z.object({ dry_run: flagOr(false) }),
  output: Task,
  errors: ['unprocessable'],
  about:
    'Starts a task that removes files without a database row from the blob store, unless they are less than a day old.',
})

export const refreshMedia = operation('media.upkeep.refresh', {
  http: post(`${STAFF_PREFIX}/media/refresh`),
  viewer: writes,
  class: 'admin',
  input: z.object({
    /** Exactly one of `status_id`, `account_id`, `domain` and `days` must be given. The given field selects the attachments. */
    status_id: id().optional(),
    account_id: id().optional(),
    /** Domain of the authors whose attachments are fetched. */
    domain: textOrNone(300).optional(),
    /** Only attachments that were created within this number of days. */
    days: days().optional(),
    /** True: attachments with a cached copy are fetched again, too. */
    force: flagOr(false),
    dry_run: flagOr(false),
  }),
  output: Task,
  errors: ['unprocessable'],
  about: 'Starts a task that fetches remote attachments, at most 30 of a server per minute.',
})

export const lookupMedia = operation('media.upkeep.lookup', {
  // The URL of the file is in the body of the request, because it may be long.
  http: post(`${STAFF_PREFIX}/media/lookup`),
  viewer: staffReads('view_devops'),
  class: 'admin',
  input: z.object({ url: text(2_048) }),
  output: z.object({
    kind: z.enum(['attachment', 'avatar', 'header', 'emoji']),
    id: z.string(),
    /** Account id of the owner of the file. For a custom emoji: its domain, or null for an emoji of this server. */
    owner: z.string().nullable(),
    /** Id of the status that has the attachment. */
    status_id: z.string().nullable(),
    remote_url: z.string().nullable(),
  }),
  errors: ['not_found'],
  about: 'The attachment or picture of a local media URL.',
})

export const deletePictures = operation('media.upkeep.forget-pictures', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    /** Ids of the remote accounts whose copies are removed. */
    owners: z.array(z.string()).max(1_000),
    kinds: z.array(z.enum(['avatar', 'header'])),
    dry_run: z.boolean(),
  }),
  output: z.object({ pictures: z.int(), bytes: z.int() }),
  about: 'Removes copies of avatars and headers of remote accounts. They are fetched again when a user views them.',
})
