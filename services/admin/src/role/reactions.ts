/** Adds changes of roles to the audit log. */
import { roleChanged } from '@murmuration/contracts/accounts'
import { once } from '@murmuration/kernel'
import { record } from '../audit-log/index.js'
import { react } from '../doors.js'

export const onRoleChanged = react(roleChanged, 'on-role-changed', async (ctx, e) => {
  const { by, action, targetId, target, before, after } = e
  await ctx.db.tx((tx) =>
    once(tx, e, () => record(ctx, tx, by === null ? null : { id: by }, { action, targetId, target, before, after })),
  )
})
