/** Notifications of suspended senders are hidden, and come back with them. */
import { accountChanged } from '@murmuration/contracts/accounts'
import { react } from '../doors.js'
import { rememberSuspension } from '../store/sender-flag.js'

export const onAccountChanged = react(accountChanged, 'on-account-changed', async (ctx, e) => {
  await rememberSuspension(ctx.db, e.id, e.flags.suspended, e.eventId)
})
