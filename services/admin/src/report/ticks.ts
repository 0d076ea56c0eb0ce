/** Erases idempotency keys after their hour. */
import { tick } from '../handlers.js'
import { deleteKeys as deleteOldKeys } from './idempotency.store.js'

export const deleteKeys = tick('admin.forget-keys', 600_000, async (ctx) => {
  await deleteOldKeys(ctx.db, ctx.clock.date())
})
