/** Tick that deletes imports: unconfirmed ones after ten minutes, the others after a week. */
import { tick } from '../handlers.js'
import { deleteOldImports } from './store.js'

const MINUTE = 60_000

export const deleteImports = tick('accounts.forget-imports', MINUTE, async (ctx) => {
  const now = ctx.clock.now()
  await deleteOldImports(ctx.db, new Date(now - 10 * MINUTE), new Date(now - 7 * 24 * 60 * MINUTE))
})
