/** Keeps the few facts of authors that queries need. */
import { accountChanged } from '@murmuration/contracts/accounts'
import { react } from '../doors.js'
import { changeAuthor } from '../store/author-flag.js'
import { endSuspension } from '../store/suspended-author.js'

export const onAccountChanged = react(accountChanged, 'on-account-changed', async (ctx, e) => {
  await changeAuthor(ctx.db, e.id, e.flags, e.eventId)
  if (!e.flags.local && !e.flags.suspended) await endSuspension(ctx.db, e.id)
})
