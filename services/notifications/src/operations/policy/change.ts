/** Changes from whom the viewer accepts notifications. */
import { changePolicy } from '@murmuration/contracts/notifications'
import { readChoices } from '../../domain/choice.js'
import { handle } from '../../doors.js'
import { changePolicyOf } from '../../store/policy.js'
import { pendingOf } from '../../store/request.js'
import { policyJson } from '../../views/policy.js'

export const change = handle(changePolicy, async (ctx, viewer, input) => {
  const changes = readChoices(input)
  const policy = await ctx.db.tx((tx) => changePolicyOf(tx, viewer.id, changes))
  return policyJson(policy, await pendingOf(ctx.db, viewer.id))
})
