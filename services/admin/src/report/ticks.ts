/** Deletes idempotency keys of reports after an hour. */
import { tick } from '../handlers.js'
import { deleteKeys as deleteOldKeys } from './idempotency.store.js'

export const deleteKeys = tick('admin.forget-keys', 600_000, async (ctx) => {
  await deleteOldKeys(ctx.db, ctx.clock.date())
})
