/** Staff who look after people are told of each sign-up. */
import { accountCreated, rolesOf } from '@murmuration/contracts/accounts'
import { sources } from '../changes/news.js'
import { notify } from '../changes/notify.js'
import { react } from '../doors.js'

export const onAccountCreated = react(accountCreated, 'on-account-created', async (ctx, e) => {
  if (!e.local) return
  const { accountIds } = await ctx.call(rolesOf, { permission: 'manage_users' })
  await notify(ctx, e, e.id, [
    { type: 'admin.sign_up', recipients: accountIds, source: sources.account(e.id), status: null, at: e.at },
  ])
})
