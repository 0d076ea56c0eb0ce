/** Changes the policy in its older form. */
import { changeFilters } from '@murmuration/contracts/notifications'
import { readFilters } from '../../domain/choice.js'
import { handle } from '../../doors.js'
import { changePolicyOf } from '../../store/policy.js'
import { pendingOf } from '../../store/request.js'
import { filtersJson } from '../../views/policy.js'

export const change = handle(changeFilters, async (ctx, viewer, input) => {
  const changes = readFilters(input)
  const policy = await ctx.db.tx((tx) => changePolicyOf(tx, viewer.id, changes))
  return filtersJson(policy, await pendingOf(ctx.db, viewer.id))
})
