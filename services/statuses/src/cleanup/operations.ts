/** Handlers of the automatic deletion of own statuses. */
import { cleanupChange, cleanupShow } from '@murmuration/contracts/statuses'
import { handle } from '../handlers.js'
import { NO_CLEANUP } from './rules.js'
import { cleanupOf, putCleanup } from './store.js'

/** Returns the cleanup policy of an account. */
export const show = handle(
  cleanupShow,
  async (ctx, _viewer, { account }) => (await cleanupOf(ctx.db, account)) ?? NO_CLEANUP,
)

/** A person says what the server may delete of their own once it is old; the next tick begins with it. */
export const change = handle(cleanupChange, async (ctx, _viewer, { account, ...wanted }) => {
  await putCleanup(ctx.db, account, wanted, ctx.clock.date())
  return {}
})
