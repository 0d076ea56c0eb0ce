/** The last twelve weeks in numbers, if staff shows them. */
import { instanceActivity } from '@murmuration/contracts/admin'
import { notFound } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'

export const activity = handle(instanceActivity, async (ctx) => {
  if (ctx.config.limitedFederation || !ctx.policy.settings().activity_api_enabled) throw notFound('Not Found')
  return ctx.weeks()
})
