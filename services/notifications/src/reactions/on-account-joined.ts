/** Staff who look after people are told of each who joined. */
import { accountJoined, rolesOf } from '@murmuration/contracts/accounts'
import { sources } from '../changes/news.js'
import { notify } from '../changes/notify.js'
import { react } from '../doors.js'

export const onAccountJoined = react(accountJoined, 'on-account-joined', async (ctx, e) => {
  const { accountIds } = await ctx.call(rolesOf, { permission: 'manage_users' })
  await notify(ctx, e, e.id, [
    { type: 'admin.sign_up', recipients: accountIds, source: sources.account(e.id), status: null, at: e.at },
  ])
})
