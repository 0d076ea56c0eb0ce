/** Remembers people of ours who are gone for good, so that their addresses answer 410 from now on. */
import { accountRemoved } from '@murmuration/contracts/accounts'
import { once } from '@murmuration/kernel'
import { react } from '../doors.js'
import { noteGone } from '../store/gone-actor.js'

export const onAccountRemoved = react(accountRemoved, 'on-account-removed', async (ctx, e) => {
  if (!e.local) return
  await ctx.db.tx((tx) => once(tx, e, () => noteGone(tx, { accountId: e.id, uri: e.uri })))
})
