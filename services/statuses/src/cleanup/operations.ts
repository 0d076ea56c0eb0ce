/** Handlers of cleanup policies: automatic deletion of an account's own old statuses. */
import { changeCleanup, showCleanup } from '@murmuration/contracts/statuses'
import { handle } from '../handlers.js'
import { NO_CLEANUP } from './rules.js'
import { cleanupOf, putCleanup } from './store.js'

/** Returns the cleanup policy of an account. */
export const show = handle(
  showCleanup,
  async (ctx, _viewer, { account }) => (await cleanupOf(ctx.db, account)) ?? NO_CLEANUP,
)

/** Stores the cleanup policy of an account. The next tick starts with it. */
export const change = handle(changeCleanup, async (ctx, _viewer, { account, ...wanted }) => {
  await putCleanup(ctx.db, account, wanted, ctx.clock.date())
  return {}
})
