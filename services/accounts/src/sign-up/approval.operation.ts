/** Handlers with which staff list, approve and reject sign-ups. */
import { approveRegistration, listPendingRegistrations, rejectRegistration } from '@murmuration/contracts/accounts'
import { joinAll, lockPendingLogins, setApproved } from '../email/index.js'
import { handle } from '../handlers.js'
import { writeToAll } from '../mail/index.js'
import { removeUnused } from '../removal/index.js'
import { recordDecision, waitingSignUps } from './store.js'

/** Returns a page of sign-ups that wait for approval, oldest first. */
export const listPending = handle(listPendingRegistrations, async (ctx, _viewer, { after, limit }) => {
  const rows = await waitingSignUps(ctx.db, after ?? '0', limit)
  return {
    people: rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() })),
    next: rows.length === limit ? (rows.at(-1)?.id ?? null) : null,
  }
})

/** Approves pending sign-ups. */
export const handleApproveRegistration = handle(approveRegistration, (ctx, _viewer, { id, ids }) =>
  ctx.db.tx(async (tx) => {
    const users = await lockPendingLogins(tx, ids ?? [id ?? '0'])
    if (users.length === 0) return { changed: false }
    const userIds = users.map((one) => one.user_id)
    await setApproved(tx, userIds)
    await recordDecision(tx, userIds)
    // Approved users without a confirmed e-mail address join when they confirm it.
    await joinAll(
      ctx,
      tx,
      users.filter((one) => one.confirmed),
      true,
    )
    return { changed: true }
  }),
)

/** Rejects sign-ups: the accounts are erased, and their names and addresses are free again. */
export const handleRejectRegistration = handle(rejectRegistration, (ctx, _viewer, { id, ids }) =>
  ctx.db.tx(async (tx) => {
    const users = await lockPendingLogins(tx, ids ?? [id ?? '0'])
    if (users.length === 0) return { changed: false }
    // No e-mail is sent to an address that its owner has not confirmed.
    await writeToAll(
      ctx,
      tx,
      users.filter((one) => one.confirmed),
      'rejected',
    )
    await removeUnused(ctx, tx, users)
    return { changed: true }
  }),
)
