/** Applies the result of fetching a remote status: found, deleted or not found. */
import type { Context } from '../context.js'
import { reblogOf } from '../core/reblog/store.js'
import { idsByUri, rowOf, type StatusRow } from '../core/status/store.js'
import { ANNOUNCED_WAIT_MS, waitAfter } from './absence.rules.js'
import { endAbsenceOf, endAbsences, expectAbsence, holdAbsence, putAbsence } from './absence.store.js'
import { endRemote } from './end.js'

/**
 * Whether a 404 response counts as a sign that a remote status is gone. Followers-only and direct statuses may just be
 * hidden from this server; local statuses and boosts are stored here.
 */
const mayBeAbsent = (row: StatusRow): boolean =>
  !row.local && row.reblog_of_id === null && row.deleted_at === null && row.visibility <= 1

/**
 * Counts a 404 for a remote status whose check was due. Returns true if this was the last 404 before the status is
 * deleted.
 */
const countAbsence = (ctx: Context, status: string): Promise<boolean> =>
  ctx.db.tx(async (tx) => {
    const now = ctx.clock.date()
    const known = await holdAbsence(tx, status)
    if (known !== null && known.due_at > now) return false
    const times = (known?.times ?? 0) + 1
    const wait = waitAfter(times)
    if (wait !== null) await putAbsence(tx, status, { times, due_at: new Date(now.getTime() + wait) }, now)
    return wait === null
  })

/**
 * Applies a fetch result to a status. Returns true if the result deleted the status.
 *
 * | Result | Effect |
 * |---|---|
 * | `gone` | deleted |
 * | `not-found` | deleted at the last of several 404s, or at once if a group vouches |
 * | `ok` | earlier 404s do not count; if a group vouches, the status is requested once more |
 * @param by id of a group that announced the deletion; it vouches if it had boosted the status
 */
export const applyFetchResult = async (ctx: Context, uri: string, outcome: string, by?: string): Promise<boolean> => {
  if (outcome === 'ok') await endAbsenceOf(ctx.db, uri, ctx.clock.date())
  if (!['ok', 'gone', 'not-found'].includes(outcome) || (outcome === 'ok' && by === undefined)) return false
  const id = (await idsByUri(ctx.db, [uri])).get(uri)
  const row = id === undefined ? null : await rowOf(ctx.db, id)
  if (!row || !mayBeAbsent(row)) return false
  const isVouched = by !== undefined && (await reblogOf(ctx.db, by, row.id)) !== null
  if (outcome === 'ok') {
    const now = ctx.clock.date()
    const dueAt = new Date(now.getTime() + ANNOUNCED_WAIT_MS)
    if (isVouched) await expectAbsence(ctx.db, row.id, { dueAt, now })
    return false
  }
  if (outcome === 'not-found' && !isVouched && !(await countAbsence(ctx, row.id))) return false
  await endAbsences(ctx.db, [row.id])
  return (await endRemote(ctx, uri, row.author_id)) === 'removed'
}
