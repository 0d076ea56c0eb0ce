/** On a server that began again addresses may be given a second time: what was taken back there before is forgotten. */
import { accountRebuilt } from '@murmuration/contracts/accounts'
import { unburyAuthor } from '@murmuration/contracts/statuses'
import { once } from '@murmuration/kernel'
import { react } from '../doors.js'

export const onAccountRebuilt = react(accountRebuilt, 'on-account-rebuilt', async (ctx, e) => {
  await ctx.db.tx((tx) => once(tx, e, () => ctx.queue(tx, unburyAuthor, { author: e.id, before: e.at })))
})
