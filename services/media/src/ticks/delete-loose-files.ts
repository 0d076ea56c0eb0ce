/** Deletes files that no row holds: left by those who died between storing and noting, or between noting and deleting. */
import { tick } from '../doors.js'
import { forgetFiles, takeDueFiles } from '../store/loose-file.js'

const MOST = 1_000

export const deleteLooseFiles = tick('media.delete-loose-files', 60_000, async (ctx) => {
  const keys = await takeDueFiles(ctx.db, ctx.clock.date(), MOST)
  await ctx.files.delete(keys)
  await forgetFiles(ctx.db, keys)
})
