/** A person says what the server may delete of their own once it is old; the next tick begins with it. */
import { cleanupChange } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { putCleanup } from '../../store/cleanup.js'

export const change = handle(cleanupChange, async (ctx, _viewer, { account, ...wanted }) => {
  await putCleanup(ctx.db, account, wanted, ctx.clock.date())
  return {}
})
