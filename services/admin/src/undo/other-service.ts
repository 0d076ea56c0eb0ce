/**
 * Undoes actions whose state another service owns. The undo is claimed first. After the claim, the service restores the
 * state, which is safe to repeat, and the entry is added. A tick finds claims that a request did not finish.
 */

import {
  createTokenByStaff,
  deactivateInvite,
  memorializeUser,
  restoreInvite,
  restoreRole,
  restoreUser,
  updateRole,
} from '@murmuration/contracts/accounts'
import type { AuditAction, RestoreOutcome } from '@murmuration/contracts/admin'
import { enableRelay, restoreRelay } from '@murmuration/contracts/federation'
import type { AnyOperation } from '@murmuration/contracts/kit'
import { restoreEmoji, updateEmoji } from '@murmuration/contracts/media'
import { approveTrendTag, restoreTaxonomy } from '@murmuration/contracts/statuses'
import { chunk } from '@murmuration/flow'
import type { Context } from '../context.js'
import { record } from '../core/audit-log/record.js'
import type { AuditRow } from '../core/audit-log/rules.js'
import { type Outcome, POSSIBLE, type Reversal, type UndoRequest } from './reversal.js'
import { oppositeOf } from './row.js'
import { claimUndos, closeUndos, dropOpenUndos, lockOpenUndos, openUndosOf } from './store.js'

type RestoreOperation =
  | typeof restoreEmoji
  | typeof restoreInvite
  | typeof restoreRelay
  | typeof restoreRole
  | typeof restoreUser

/** Maximum number of entries in one request to the service that owns the state. */
const MAX_ENTRIES = 500

interface OtherServiceUndo {
  /**
   * Requests that the owning service restores the states in audit log entries. With `dry`, it only returns the
   * outcomes. The request is safe to repeat.
   */
  restore: Restore
  /** Action name of the audit log entry that the undo adds. */
  nameOf(entry: AuditRow): AuditAction
}

type Restore = (
  ctx: Context,
  entries: readonly AuditRow[],
  request: { by: string | null; dry: boolean },
) => Promise<Outcomes>
type Outcomes = ReadonlyMap<string, RestoreOutcome>

const restoredEntry = ({ action, target_id: targetId, before, after }: AuditRow) => ({
  action,
  targetId,
  before,
  after,
})

/** Restores one entry per request, for actions that do not exist as bulk actions. */
const restoreEach =
  (operation: RestoreOperation): Restore =>
  async (ctx, entries, request) =>
    new Map(
      await Promise.all(
        entries.map(async (entry) => {
          const { outcome } = await ctx.call(operation, { ...restoredEntry(entry), ...request })
          return [entry.id, outcome] as const
        }),
      ),
    )

const restoreTaxonomies: Restore = async (ctx, entries, { dry }) => {
  const calls = chunk(entries, MAX_ENTRIES).map(async (some) => {
    const { outcomes } = await ctx.call(restoreTaxonomy, { entries: some.map(restoredEntry), dry })
    return some.map(({ id }, i) => [id, outcomes[i] ?? 'not_recorded'] as const)
  })
  return new Map((await Promise.all(calls)).flat())
}

/** Adds the audit log entries of executed undos, with the accounts that claimed them as actors. Returns undone entry → new entry. */
const finishAll = (
  ctx: Context,
  entries: readonly AuditRow[],
  { nameOf }: OtherServiceUndo,
): Promise<Map<string, string>> =>
  ctx.db.tx(async (tx) => {
    const claims = await lockOpenUndos(
      tx,
      entries.map(({ id }) => id),
    )
    const undos = new Map(claims.map((claim) => [claim.entry_id, { claim, id: ctx.ids.next() }]))
    await closeUndos(
      tx,
      [...undos].map(([entry, { id }]) => ({ entry, undoEntry: id })),
    )
    const actors = Map.groupBy(entries, ({ id }) => undos.get(id)?.claim.by_account_id ?? null)
    await Promise.all(
      [...actors].map(([actor, own]) => {
        const rows = own.flatMap((entry) => {
          const undo = undos.get(entry.id)
          if (!undo) return []
          const { target_id: targetId, target, before, after } = entry
          const { reason, batch_id: batchId } = undo.claim
          const change = { targetId, target, before: after, after: before }
          return [{ ...change, id: undo.id, action: nameOf(entry), reason, undoes: entry.id, batchId }]
        })
        return record(ctx, tx, actor === null ? null : { id: actor }, ...rows)
      }),
    )
    return new Map([...undos].map(([entry, { id }]) => [entry, id]))
  })

/** Claims the undo of audit log entries. Returns the ids of the entries that no earlier request claimed. */
const claimFirst = (
  ctx: Context,
  entries: readonly AuditRow[],
  { by, reason, batchId }: UndoRequest,
): Promise<Set<string>> =>
  ctx.db.tx((tx) => {
    const rows = entries.map(({ id }) => ({
      entry_id: id,
      undo_entry_id: null,
      by_account_id: by?.id ?? null,
      reason,
      batch_id: batchId ?? null,
    }))
    return claimUndos(tx, rows, ctx.clock.date())
  })

const isRestored = (outcome: RestoreOutcome | undefined): boolean => outcome === 'restored' || outcome === 'already'

const plannedOutcome = (planned: RestoreOutcome | undefined): Outcome => {
  if (planned === 'restored') return POSSIBLE
  return { obstacle: planned === 'already' ? 'changed_since' : (planned ?? 'not_recorded') }
}

const refusalIn = (outcome: RestoreOutcome | undefined): Outcome => ({
  obstacle: outcome === undefined || outcome === 'restored' || outcome === 'already' ? 'already_undone' : outcome,
})

/**
 * Sends claimed undos to the service that owns the rows. Finishes the undos that succeed, and releases the claims of
 * the other undos.
 */
const carryOut = async (
  ctx: Context,
  how: OtherServiceUndo,
  claimed: readonly AuditRow[],
  by: string | null,
): Promise<Map<string, Outcome>> => {
  if (claimed.length === 0) return new Map()
  const results = await how.restore(ctx, claimed, { by, dry: false })
  const { true: done = [], false: refused = [] } = Object.groupBy(claimed, ({ id }) =>
    String(isRestored(results.get(id))),
  )
  if (refused.length > 0)
    await dropOpenUndos(
      ctx.db,
      refused.map(({ id }) => id),
    )
  const finished = done.length === 0 ? new Map<string, string>() : await finishAll(ctx, done, how)
  return new Map(
    claimed.map(({ id }) => {
      const undoneBy = finished.get(id)
      return [id, undoneBy === undefined ? refusalIn(results.get(id)) : { undoneBy }]
    }),
  )
}

const reverseNew = async (
  ctx: Context,
  how: OtherServiceUndo,
  entries: readonly AuditRow[],
  request: UndoRequest,
): Promise<Map<string, Outcome>> => {
  if (entries.length === 0) return new Map()
  const by = request.by?.id ?? null
  const planned = await how.restore(ctx, entries, { by, dry: true })
  const outcomes = new Map(entries.map(({ id }) => [id, plannedOutcome(planned.get(id))]))
  if (request.dry) return outcomes
  const possible = entries.filter(({ id }) => outcomes.get(id) === POSSIBLE)
  const claims = possible.length === 0 ? new Set<string>() : await claimFirst(ctx, possible, request)
  const claimed = possible.filter(({ id }) => claims.has(id))
  const taken = possible.filter(({ id }) => !claims.has(id))
  return new Map([
    ...outcomes,
    ...taken.map(({ id }) => [id, { obstacle: 'already_undone' }] as const),
    ...(await carryOut(ctx, how, claimed, by)),
  ])
}

/** Undoes these audit log entries. A repeated bulk undo also continues the undos that it claimed before. */
const reverseAll = async (
  ctx: Context,
  how: OtherServiceUndo,
  entries: readonly AuditRow[],
  request: UndoRequest,
): Promise<Map<string, Outcome>> => {
  const ids = entries.map(({ id }) => id)
  const { batchId, dry } = request
  const open = dry || batchId === undefined ? new Set<string>() : await openUndosOf(ctx.db, batchId, ids)
  const begun = entries.filter(({ id }) => open.has(id))
  const fresh = entries.filter(({ id }) => !open.has(id))
  return new Map([
    ...(await carryOut(ctx, how, begun, request.by?.id ?? null)),
    ...(await reverseNew(ctx, how, fresh, request)),
  ])
}

/** Action name for the undo of a review of a trend: the decision that the undo restores. */
const reviewOf = ({ action, before }: AuditRow): AuditAction => {
  const found = /^(?:approve|reject|reset)_(trend_(?:tag|link|status|publisher))$/.exec(action)
  const trendable = (before as { trendable?: boolean | null } | null)?.trendable ?? null
  const verb = trendable === null ? 'reset' : trendable ? 'approve' : 'reject'
  return found ? (`${verb}_${found[1]}` as AuditAction) : action
}

const elsewhere = (
  needs: AnyOperation,
  restore: Restore,
  nameOf: OtherServiceUndo['nameOf'] = ({ action }) => oppositeOf(action),
): Reversal => {
  const how = { restore, nameOf }
  return {
    needs,
    reverse: (ctx, entries, request) => reverseAll(ctx, how, entries, request),
    async finish(ctx, entry) {
      const [claim] = await ctx.db.tx((tx) => lockOpenUndos(tx, [entry.id]))
      if (claim) await carryOut(ctx, how, [entry], claim.by_account_id)
    },
  }
}

export const roles = elsewhere(updateRole, restoreEach(restoreRole))
export const memorials = elsewhere(memorializeUser, restoreEach(restoreUser))
export const tokens = elsewhere(createTokenByStaff, restoreEach(restoreUser))
export const invites = elsewhere(deactivateInvite, restoreEach(restoreInvite))
export const emojis = elsewhere(updateEmoji, restoreEach(restoreEmoji))
export const relays = elsewhere(enableRelay, restoreEach(restoreRelay))
export const taxonomies = elsewhere(approveTrendTag, restoreTaxonomies, reviewOf)
