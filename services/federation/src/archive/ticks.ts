/** Deletes archives a week after they were made, files first. */
import { deleteMost } from '@murmuration/blob'
import { inSteps } from '@murmuration/kernel'
import { oldestKept } from '../core/archive/rules.js'
import { tick } from '../handlers.js'
import { deleteArchives, oldArchives } from './store.js'

/**
 * Sizes of the pages of one run. The row of an archive whose file cannot be deleted is kept, and the next page skips it.
 */
const PAGES = { size: 50, steps: 20 }

export const deleteOldArchives = tick('federation.forget-archives', 600_000, async (ctx) => {
  const before = oldestKept(ctx.clock.now())
  const seen: string[] = []
  await inSteps(PAGES, async (limit) => {
    const old = await oldArchives(ctx.db, before, { seen, limit })
    if (old.length === 0) return 0
    seen.push(...old.map((row) => row.id))
    const keys = old.map((row) => row.key)
    const undeleted = await deleteMost(ctx.blobs, keys)
    if (undeleted.length > 0) ctx.log.warn({ archives: undeleted.length }, 'files of old archives cannot be deleted')
    const gone = old.filter((row) => !undeleted.includes(row.key)).map((row) => row.id)
    await deleteArchives(ctx.db, gone, before)
    return old.length
  })
})
