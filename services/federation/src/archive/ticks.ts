/** Deletes archives a week after they were made, files first. */
import { oldestKept } from '../core/archive.rules.js'
import { tick } from '../handlers.js'
import { deleteArchives, oldArchives } from './store.js'

export const deleteOldArchives = tick('federation.forget-archives', 600_000, async (ctx) => {
  const before = oldestKept(ctx.clock.now())
  const old = await oldArchives(ctx.db, before)
  if (old.length === 0) return
  await ctx.blobs.delete(old.map((row) => row.key))
  await deleteArchives(
    ctx.db,
    old.map((row) => row.id),
    before,
  )
})
