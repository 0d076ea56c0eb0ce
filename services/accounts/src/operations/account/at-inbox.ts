/** Who of other servers takes at an inbox of their own what is for many. */
import { accountsAtInbox } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { urisAtInbox } from '../../store/remote-account.js'

/** Several share one where a server gives all of its people the same. */
const MOST = 5

export const findAtInbox = handle(accountsAtInbox, async (ctx, _viewer, { inbox }) => ({
  uris: await urisAtInbox(ctx.db, inbox, MOST),
}))
