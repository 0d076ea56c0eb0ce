/**
 * Operations about bulk actions of staff: one action on many accounts, trends or domain blocks, with a dry run,
 * progress and undo.
 */

import { z } from 'zod'
import { errorText } from '../kit/error-text.js'
import { flagOr, get, id, ids, intOrMinusOne, operation, post, text, textOrNone } from '../kit/index.js'
import { accountFilters } from './account.js'
import { UNDO_OBSTACLE_TEXTS, UndoObstacle } from './audit-action.js'
import { STAFF_PREFIX, staffPage, staffPageOf, staffReads, staffWrites } from './staff.js'

/** Maximum number of ids with which staff selects the items of a bulk action. */
export const MAX_BULK_IDS = 1_000
/** Maximum number of items of one bulk action. */
export const MAX_BULK_ITEMS = 10_000
/** Maximum number of items of the undo of a bulk action. It is large, because an imported list may block very many domains. */
export const MAX_UNDO_ITEMS = 250_000

/** Actions of bulk actions by kind of item. `audit_entry` is the undo of another bulk action. */
export const BULK_ACTIONS = {
  account: [
    'sensitive',
    'unsensitive',
    'silence',
    'unsilence',
    'disable',
    'enable',
    'suspend',
    'unsuspend',
    'approve',
    'reject',
  ],
  trend_tag: ['approve', 'reject'],
  trend_link: ['approve', 'reject'],
  trend_status: ['approve', 'reject'],
  domain_block: ['remove'],
  audit_entry: ['undo'],
} as const
export type BulkNoun = keyof typeof BULK_ACTIONS
export const BULK_NOUNS = Object.keys(BULK_ACTIONS) as [BulkNoun, ...BulkNoun[]]

/** Texts that tell staff why an item of a bulk action is skipped, including the reasons of undo. */
export const BULK_SKIP_TEXTS = {
  ...UNDO_OBSTACLE_TEXTS,
  not_permitted: errorText('Your role does not allow this: its rank is too low, or a permission is missing'),
  not_found: errorText('There is no such item'),
  already: errorText('It is in this state already'),
  is_remote: errorText('The account is of another server'),
  not_pending: errorText('The sign-up is not pending'),
} as const
export const BulkSkip = z.union([UndoObstacle, z.enum(['not_found', 'already', 'is_remote', 'not_pending'])])
export type BulkSkip = z.infer<typeof BulkSkip>

export const BulkActionItem = z.strictObject({
  /** Id of the item: an account, a trend, a domain block or an entry of the audit log. */
  id: z.string(),
  /** Text that identifies the item for staff, such as a handle. */
  target: z.string(),
  /** Outcome of the item: `changed`, `waiting`, or the reason why it is skipped. */
  outcome: z.string(),
})
export type BulkActionItem = z.infer<typeof BulkActionItem>

export const BulkAction = z
  .strictObject({
    /** Id of the bulk action, also the id of its task and `batch_id` of its audit log entries. Null for a dry run. */
    id: z.string().nullable(),
    noun: z.string(),
    action: z.string(),
    dry_run: z.boolean(),
    state: z.enum(['planned', 'running', 'done', 'failed', 'stopped']),
    /** Number of selected items. */
    found: z.int(),
    /** Number of items processed so far. */
    seen: z.int(),
    /** Number of items that changed, or would change in a dry run. */
    changed: z.int(),
    /** Number of skipped items by reason. */
    skipped: z.record(z.string(), z.int()),
    /** Some items as examples. Skipped items come first. */
    sample: z.array(BulkActionItem),
    text: z.string().nullable(),
    /** Id of the bulk action that this one undoes. */
    undoes: z.string().nullable(),
    /** Id of the last bulk action that undid this one. */
    undone_by: z.string().nullable(),
    /** Account id of staff; null for operators. */
    started_by: z.string().nullable(),
    error: z.string().nullable(),
    created_at: z.string().nullable(),
    finished_at: z.string().nullable(),
  })
  .meta({ id: 'BulkAction', description: 'One action of staff on many items, with its progress.' })
export type BulkAction = z.infer<typeof BulkAction>

const workers = ['manage_users', 'manage_taxonomies', 'manage_federation'] as const
const readers = [...workers, 'view_audit_log'] as const

/** Number of items that the caller expects. If the bulk action would have another number of items, the request is refused with 409. */
const expected = z.union([z.null(), z.literal('').transform(() => null), intOrMinusOne(0, 1_000_000_000)]).optional()

export const createBulkAction = operation('admin.bulk-action.create', {
  http: post(`${STAFF_PREFIX}/bulk_actions`),
  viewer: staffWrites(workers),
  class: 'admin',
  input: z.object({
    noun: text(50),
    action: text(50),
    /** Ids of the items of the bulk action. */
    ids: ids(MAX_BULK_IDS).optional(),
    /** Filters that select the items: for accounts as in the list of API v2, for trends `status` with the value `pending`. */
    query: z.union([z.null(), z.object(accountFilters)]).optional(),
    expected,
    /** A dry run only counts the items. */
    dry_run: flagOr(false),
    /** Reason for the bulk action. The audit log contains it, and a strike shows it to the account holder. */
    text: z.union([z.null(), text()]).optional(),
    send_email_notification: flagOr(true),
  }),
  output: BulkAction,
  errors: ['forbidden', 'conflict', 'unprocessable', 'invalid'],
  about:
    'Applies one action to many items, or with `dry_run` counts what it would change. The selection is fixed when it starts.',
})

export const listBulkActions = operation('admin.bulk-action.list', {
  http: get(`${STAFF_PREFIX}/bulk_actions`),
  viewer: staffReads(readers),
  class: 'admin',
  input: z.object({ ...staffPage() }),
  output: staffPageOf(BulkAction),
  about: 'Bulk actions that the permissions of the viewer cover, newest first; finished ones for 90 days.',
})

export const showBulkAction = operation('admin.bulk-action.show', {
  http: get(`${STAFF_PREFIX}/bulk_actions/:id`),
  viewer: staffReads(readers),
  class: 'admin',
  input: z.object({ id: id() }),
  output: BulkAction,
  errors: ['not_found'],
  about: 'The progress of one bulk action.',
})

export const listBulkActionItems = operation('admin.bulk-action.items', {
  http: get(`${STAFF_PREFIX}/bulk_actions/:id/items`),
  viewer: staffReads(readers),
  class: 'admin',
  input: z.object({ id: id(), outcome: textOrNone(50).optional(), ...staffPage() }),
  output: staffPageOf(BulkActionItem, 'outcome'),
  errors: ['not_found'],
  about: 'The items of one bulk action with their outcomes, the highest id first.',
})

export const undoBulkAction = operation('admin.bulk-action.undo', {
  http: post(`${STAFF_PREFIX}/bulk_actions/:id/undo`),
  viewer: staffWrites('view_audit_log'),
  class: 'admin',
  input: z.object({
    id: id(),
    expected,
    dry_run: flagOr(false),
    text: z.union([z.null(), text()]).optional(),
  }),
  output: BulkAction,
  errors: ['not_found', 'forbidden', 'conflict', 'unprocessable'],
  about:
    'Undoes every entry of a batch of the audit log, item by item. Items that changed since are skipped. Each needs the permission and the rank that its action needs.',
})
