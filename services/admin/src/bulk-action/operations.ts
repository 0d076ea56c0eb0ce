/** Handlers that start bulk actions, show and list them, and undo them. */
import {
  createBulkAction,
  listBulkActionItems,
  listBulkActions,
  MAX_UNDO_ITEMS,
  showBulkAction,
  undoBulkAction,
} from '@murmuration/contracts/admin'
import { fail, notFound, type Viewer } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { textOf } from '../core/account-action.rules.js'
import { batchIds } from '../core/audit-log/store.js'
import { rowPage } from '../core/row-page.js'
import { handle } from '../handlers.js'
import { checkPermission, kindOf, nounsFor } from './kinds.js'
import { nounOf } from './rules.js'
import { selectionOf } from './selection.js'
import { startBulkAction } from './start.js'
import { type BulkActionRow, bulkActionById, bulkActionPage, itemPage, sampleItems } from './store.js'
import { bulkActionOf, itemOf, SAMPLE } from './view.js'

/** Milliseconds after which events about actions in other services have reached the audit log. */
const RECORDED_MS = 300_000

const reasonOf = (text: string | null | undefined): string | null => textOf(text) || null

export const create = handle(createBulkAction, async (ctx, staff, input) => {
  const viewer: Viewer | null = staff
  const noun = nounOf(input.noun, input.action)
  checkPermission(viewer, kindOf(noun, input.action))
  const reason = reasonOf(input.text)
  return startBulkAction(ctx, viewer, {
    noun,
    action: input.action,
    ids: await selectionOf(ctx, noun, input),
    expected: input.expected,
    dry: input.dry_run,
    reason,
    notify: input.send_email_notification,
    undoes: null,
  })
})

/**
 * The row of a bulk action. Throws 404 if the bulk action does not exist, or if the permissions of the viewer do not
 * cover it.
 */
const known = async (ctx: Context, viewer: Viewer | null, id: string): Promise<BulkActionRow> => {
  const row = await bulkActionById(ctx.db, id)
  if (!row || !nounsFor(viewer).includes(row.noun)) throw notFound()
  return row
}

export const list = handle(listBulkActions, async (ctx, viewer, page) =>
  rowPage(
    listBulkActions.output,
    await bulkActionPage(ctx.db, nounsFor(viewer), page),
    (row) => bulkActionOf(row, []),
    page,
  ),
)

export const show = handle(showBulkAction, async (ctx, viewer, { id }) =>
  bulkActionOf(await known(ctx, viewer, id), await sampleItems(ctx.db, id, SAMPLE)),
)

export const items = handle(listBulkActionItems, async (ctx, viewer, { id, outcome, ...page }) => {
  await known(ctx, viewer, id)
  return rowPage(listBulkActionItems.output, await itemPage(ctx.db, id, outcome, page), itemOf, page)
})

/**
 * Ids of the audit log entries of a bulk action. Throws 409 while the bulk action runs, or while some of its entries
 * are not in the audit log yet.
 */
const entriesOf = async (ctx: Context, id: string): Promise<string[]> => {
  const row = await bulkActionById(ctx.db, id)
  if (row?.state === 'running') throw fail('conflict', 'The bulk action is still running')
  const entries = await batchIds(ctx.db, id, MAX_UNDO_ITEMS + 1)
  const isFresh = row !== null && ctx.clock.now() - (row.finished_at?.getTime() ?? 0) < RECORDED_MS
  if (isFresh && entries.length < (row.changed ?? 0))
    throw fail('conflict', 'The audit log does not have every entry of the bulk action yet', { retryAfter: 2 })
  if (row === null && entries.length === 0) throw notFound()
  return entries
}

export const undo = handle(undoBulkAction, async (ctx, staff, { id, expected, dry_run, text }) => {
  const viewer: Viewer | null = staff
  const ids = await entriesOf(ctx, id)
  const reason = reasonOf(text)
  const wanted = { noun: 'audit_entry', action: 'undo', ids, expected, reason, notify: false, undoes: id } as const
  return startBulkAction(ctx, viewer, { ...wanted, dry: dry_run })
})
