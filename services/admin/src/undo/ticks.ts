/** Queues jobs for undos whose request ended before the owning service executed them. */
import { finishUndo } from '@murmuration/contracts/admin'
import { tick } from '../handlers.js'
import { openUndos } from './store.js'

/** Milliseconds after a claim after which the request that claimed the undo has certainly ended. */
const PATIENCE_MS = 60_000
const MAX_ENTRIES = 500

export const finishUndos = tick('admin.finish-undos', 60_000, async (ctx) => {
  const entries = await openUndos(ctx.db, new Date(ctx.clock.now() - PATIENCE_MS), MAX_ENTRIES)
  if (entries.length === 0) return
  await ctx.queues.push(finishUndo, ...entries.map((entry) => ({ id: ctx.ids.next(), data: { entry } })))
})
