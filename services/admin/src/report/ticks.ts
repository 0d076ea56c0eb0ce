/** Erases idempotency keys after their hour. */
import { tick } from '../handlers.js'
import { forgetKeys as forget } from './idempotency.store.js'

export const forgetKeys = tick('admin.forget-keys', 600_000, async (ctx) => {
  await forget(ctx.db, ctx.clock.date())
})
