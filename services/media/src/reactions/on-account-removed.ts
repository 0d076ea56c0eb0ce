/** Nothing that somebody uploaded outlives their account: the files go with the next sweeps. */
import { accountRemoved } from '@murmuration/contracts/accounts'
import { react } from '../doors.js'
import { abandonAttachments } from '../store/holding.js'

export const onAccountRemoved = react(accountRemoved, 'on-account-removed', async (ctx, e) => {
  await abandonAttachments(ctx.db, e.id)
})
