/** Notes that a profile of ours changed; others hear of it a moment later, once for many changes in a row. */
import { accountChanged } from '@murmuration/contracts/accounts'
import { react } from '../doors.js'
import { noteProfileChange } from '../store/profile-change.js'

/** Quiet time that ends a row of changes. */
const QUIET_MS = 5_000

export const onAccountChanged = react(accountChanged, 'on-account-changed', async (ctx, e) => {
  if (!e.flags.local || !e.profile) return
  await noteProfileChange(ctx.db, {
    accountId: e.id,
    seq: e.eventId,
    changedAt: new Date(e.at),
    dueAt: new Date(ctx.clock.now() + QUIET_MS),
  })
})
