/** The policy in its older form. */
import { showFilters } from '@murmuration/contracts/notifications'
import { handle } from '../../doors.js'
import { policyOf } from '../../store/policy.js'
import { pendingOf } from '../../store/request.js'
import { filtersJson } from '../../views/policy.js'

export const show = handle(showFilters, async (ctx, viewer) => {
  const [policy, pending] = await Promise.all([policyOf(ctx.db, viewer.id), pendingOf(ctx.db, viewer.id)])
  return filtersJson(policy, pending)
})
