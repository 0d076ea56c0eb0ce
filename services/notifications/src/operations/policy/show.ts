/** From whom the viewer accepts notifications. */
import { showPolicy } from '@murmuration/contracts/notifications'
import { handle } from '../../doors.js'
import { policyOf } from '../../store/policy.js'
import { pendingOf } from '../../store/request.js'
import { policyJson } from '../../views/policy.js'

export const show = handle(showPolicy, async (ctx, viewer) => {
  const [policy, pending] = await Promise.all([policyOf(ctx.db, viewer.id), pendingOf(ctx.db, viewer.id)])
  return policyJson(policy, pending)
})
