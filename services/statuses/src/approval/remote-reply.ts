/** Holds remote replies to statuses whose authors approve replies, until the claimed approval is proved. */
import { accountRecords } from '@murmuration/contracts/accounts'
import { checkReply, type RemoteStatus, statusInvalidation } from '@murmuration/contracts/statuses'
import type { Reader, Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { PROVED_FOR_MS } from '../core/quote/rules.js'
import { type Approval, approvalOf, claimApproval, deleteApproval, setProved } from '../core/reply/approval.store.js'
import type { FullStatus } from '../core/status/new-status.js'
import { isOfOrigin } from '../core/status/remote.rules.js'
import { keptVisibility, lockForChange, rowOf, type StatusRow } from '../core/status/store.js'
import { lockedHasTombstone } from '../core/status/tombstone.store.js'
import { HELD, levelOf } from '../core/visibility/rules.js'
import { checkApproval } from '../quote/index.js'
import { earlyOf, putEarly, takeEarly, takeEarlyOf } from './early.store.js'
import { approved, unapproved } from './held-reply.js'
import { policyFor } from './replied-to.js'

export type Waiting = { needsApproval: boolean }

/**
 * Whether a remote reply must be held. `needsApproval`: the reply needs its own approval; otherwise only its parent is
 * held. Returns null if the reply is shown at once. Direct replies are never held: they are in no public thread, and the
 * parent's author may not receive them.
 * @param visibility visibility of the reply
 */
export const waitingFor = async (
  ctx: Pick<Context, 'db'>,
  replyAuthor: { id: string; uri: string },
  above: StatusRow,
  visibility: number,
): Promise<Waiting | null> => {
  if (above.local || visibility === levelOf('direct')) return null
  const needsApproval =
    above.author_id !== replyAuthor.id && (await policyFor(ctx, replyAuthor.id, above))(replyAuthor.uri) !== 'automatic'
  return needsApproval || above.visibility === HELD ? { needsApproval } : null
}

/**
 * Marks a new reply as held. If a reply waits only for its held parent, and the parent was released meanwhile, the
 * reply is shown.
 */
export const withHold = async (tx: Tx, full: FullStatus, waiting: Waiting | null): Promise<FullStatus> => {
  if (waiting === null) return full
  const { visibility, in_reply_to_id: above } = full.row
  if (!waiting.needsApproval && above && (await keptVisibility(tx, above)) !== HELD) return full
  return { ...full, row: { ...full.row, visibility: HELD }, held: { ...waiting, visibility } }
}

/** The approval that a remote reply claims; null if the approval has another origin than the parent. */
const claimOf = ({ approval, in_reply_to }: RemoteStatus): string | null =>
  approval && in_reply_to !== null && isOfOrigin(approval, in_reply_to) ? approval : null

/**
 * Stores the claimed approval of a new reply that is held or whose parent is unknown. An approval sent by the parent's
 * author has precedence over the one that the reply claims.
 */
export const storeClaim = async (
  ctx: Context,
  tx: Tx,
  status: RemoteStatus,
  { row, held }: FullStatus,
): Promise<void> => {
  const above = row.in_reply_to_author_id ?? null
  if (above !== null && !held) return
  const claim = (above && (await takeEarly(tx, row.uri, above))) ?? claimOf(status)
  if (claim === null) return
  await claimApproval(tx, row.id, claim)
  if (held) await ctx.queue(tx, checkReply, { status: row.id })
}

/** Whether a new version of a reply claims another approval than the stored one, or no longer claims a proved one. */
export const claimsOther = async (db: Reader, status: RemoteStatus, row: StatusRow): Promise<boolean> => {
  if (row.in_reply_to_uri === null || row.in_reply_to_author_id === row.author_id) return false
  const known = await approvalOf(db, row.id)
  if (row.held === null && known === null) return false
  const claim = claimOf(status)
  // Many approved replies do not name their approval. A missing claim therefore counts only in an activity that the
  // author sent.
  return claim === null ? status.push && !status.fetched && known?.proved_at != null : claim !== known?.uri
}

/**
 * Stores the approval that a new version of a known reply claims. Returns true if the new version claims another
 * approval. The caller has locked the row.
 */
export const syncApproval = async (ctx: Context, tx: Tx, id: string, status: RemoteStatus): Promise<boolean> => {
  const row = await rowOf(tx, id)
  if (row === null || !(await claimsOther(tx, status, row))) return false
  const claim = claimOf(status)
  // The time 0 marks the stored approval as outdated, so that its document is read again. Only that document proves
  // that an approval has ended.
  if (claim === null) await setProved(tx, id, new Date(0))
  else await claimApproval(tx, id, claim)
  if (row.in_reply_to_id === null) return false
  if (claim !== null && row.held === null) await unapproved(ctx, tx, [id])
  await ctx.queue(tx, checkReply, { status: id })
  return claim !== null
}

/**
 * Ends the approval with the URI `approval` of these replies. If an early approval of a reply is stored, the reply then
 * claims that one, and a job checks it. Returns the ids of the replies that had the approval `approval`. The caller has
 * locked the replies, and then calls `unapproved`.
 */
export const endApproval = async (
  ctx: Context,
  tx: Tx,
  ids: readonly string[],
  approval: string,
): Promise<string[]> => {
  const lost = await deleteApproval(tx, ids, approval)
  const next = await takeEarlyOf(tx, lost)
  await Promise.all(next.map(({ id, uri }) => claimApproval(tx, id, uri)))
  await ctx.queue(tx, checkReply, ...next.map(({ id }) => ({ status: id })))
  return lost
}

/**
 * Applies a message of the parent's author about a reply of a third server. `approval`: URI of the approval; null if
 * the parent's author refused the reply.
 *
 * An approval is only claimed, and a job checks its document. Until the job has checked the document, the reply stays
 * as it is. A refusal hides the reply at once. Returns false if nothing changes.
 */
export const applyApproval = (
  ctx: Context,
  status: StatusRow,
  actor: string,
  approval: string | null,
): Promise<boolean> =>
  ctx.db.tx(async (tx) => {
    if (approval !== null && (await lockedHasTombstone(tx, actor, approval))) return false
    if (!(await lockForChange(tx, status.id, status.author_id))) return false
    const [row, known] = await Promise.all([rowOf(tx, status.id), approvalOf(tx, status.id)])
    // Nothing changes if the reply is shown and needs no approval, or if this approval is stored already.
    if (!row || (row.held === null && (known === null || approval === known.uri))) return false
    await putEarly(tx, row.uri, actor, row.held === null ? approval : null)
    if (approval !== null) {
      if (row.held !== null) await claimApproval(tx, row.id, approval)
      await ctx.queue(tx, checkReply, { status: row.id })
      return true
    }
    if (known === null) return false
    await deleteApproval(tx, [row.id], known.uri)
    if (row.held === null) await unapproved(ctx, tx, [row.id])
    return true
  })

type ApprovalResult = 'not-needed' | Awaited<ReturnType<typeof checkApproval>>

/**
 * Shows or holds a reply by `check`, the result of checking its approval `uri`. Returns true if the reply was shown or
 * held now.
 */
const applyResult = async (
  ctx: Context,
  tx: Tx,
  reply: StatusRow,
  { uri, check, above }: { uri: string | null; check: ApprovalResult; above: string },
): Promise<boolean> => {
  // Locks the parent before the reply, like every release of replies, so that transactions do not deadlock.
  const visibility = await keptVisibility(tx, above)
  if (visibility === null || !(await lockForChange(tx, reply.id, reply.author_id))) return false
  const [row, known] = await Promise.all([rowOf(tx, reply.id), approvalOf(tx, reply.id)])
  // If the stored approval was changed during the check, the result of this check is ignored. That change queued a
  // check of its own.
  if (!row || (known?.uri ?? null) !== uri) return false
  const isValid = check === 'not-needed' || check === 'valid'
  if (check === 'valid' && known) await setProved(tx, row.id, ctx.clock.date())
  if (isValid) {
    if (row.held !== null) await approved(ctx, tx, row.id, visibility === HELD)
    return row.held !== null
  }
  if (known === null || check === 'unknown' || check === 'later') return false
  if (check === 'invalid') await endApproval(ctx, tx, [row.id], known.uri)
  else await setProved(tx, row.id, null)
  if (row.held === null) await unapproved(ctx, tx, [row.id])
  return row.held === null
}

/**
 * If an early approval was received before the parent of a reply, makes it the claimed approval of the reply. Returns
 * the approval that is then stored for the reply.
 */
const claimEarly = (ctx: Context, row: StatusRow, author: string): Promise<Approval | null> =>
  ctx.db.tx(async (tx) => {
    const uri = await takeEarly(tx, row.uri, author)
    if (uri !== null) await claimApproval(tx, row.id, uri)
    return approvalOf(tx, row.id)
  })

/**
 * Replaces the approval of a reply by a newer early approval if that is proved. Returns `taken` if the approval was
 * replaced, `later` if the early approval cannot be read, null if nothing changed.
 */
const takeProved = async (ctx: Context, row: StatusRow, above: StatusRow): Promise<'taken' | 'later' | null> => {
  const author = above.author_id
  const next = await earlyOf(ctx.db, row.uri, author)
  if (next === null) return null
  const check = await checkApproval(ctx, next, row, above, true)
  if (check !== 'valid' && check !== 'invalid') return check === 'later' ? 'later' : null
  return ctx.db.tx(async (tx) => {
    const isOver = await lockedHasTombstone(tx, author, next)
    if (isOver || !(await lockForChange(tx, row.id, row.author_id))) return null
    // If the early approval was changed during the check, the result of this check is ignored. That change queued a
    // check of its own.
    if ((await earlyOf(tx, row.uri, author)) !== next) return null
    await putEarly(tx, row.uri, author, null)
    if (check === 'invalid') return null
    await claimApproval(tx, row.id, next)
    await setProved(tx, row.id, ctx.clock.date())
    return 'taken'
  })
}

/**
 * Checks a remote reply that is held or whose approval was last proved too long ago. Returns `later` if the approval
 * cannot be read.
 */
export const reconcileReply = async (ctx: Context, id: string): Promise<'done' | 'later'> => {
  const row = await rowOf(ctx.db, id)
  if (!row || row.local || row.in_reply_to_id === null) return 'done'
  const [stored, above] = await Promise.all([approvalOf(ctx.db, id), rowOf(ctx.db, row.in_reply_to_id)])
  if (above === null || (row.held === null && stored === null)) return 'done'
  const next = stored && (await takeProved(ctx, row, above))
  if (next === 'taken') return reconcileReply(ctx, id)
  const done = next ?? 'done'
  const known = stored ?? (await claimEarly(ctx, row, above.author_id))
  const isProved = known?.proved_at != null && known.proved_at.getTime() > ctx.clock.now() - PROVED_FOR_MS
  if (isProved && row.held === null) return done
  const { records } = await ctx.call(accountRecords, { ids: [row.author_id] })
  const [replyAuthor] = records
  if (!replyAuthor) return 'done'
  const needsNone = !(await waitingFor(ctx, replyAuthor, above, row.held?.visibility ?? row.visibility))?.needsApproval
  const check = needsNone
    ? 'not-needed'
    : known === null
      ? 'unknown'
      : await checkApproval(ctx, known.uri, row, above, true)
  if (check === 'later') return 'later'
  const changed = await ctx.db.tx((tx) =>
    applyResult(ctx, tx, row, { uri: known?.uri ?? null, check, above: above.id }),
  )
  if (changed) ctx.invalidations.send(statusInvalidation, [id])
  return done
}
