/** A status lets go of attachments: they wait a day for another one, or go at once. */
import { attachmentHint, releaseAttachments } from '@murmuration/contracts/media'
import { dropFiles } from '../../changes/keep-files.js'
import { handle } from '../../doors.js'
import { keysOf } from '../../store/attachment.js'
import { deleteAttachments, releaseAttachments as letGo } from '../../store/holding.js'
import { loosenFiles } from '../../store/loose-file.js'

export const release = handle(releaseAttachments, async (ctx, _viewer, { status, ids, atOnce }) => {
  const now = ctx.clock.date()
  const { released, keys } = await ctx.db.tx(async (tx) => {
    const freed = await letGo(tx, [status].flat(), ids ?? null, now)
    if (!atOnce) return { released: freed, keys: [] }
    const gone = keysOf(await deleteAttachments(tx, freed))
    await loosenFiles(tx, gone, now)
    return { released: freed, keys: gone }
  })
  await dropFiles(ctx, keys)
  ctx.hints.send(attachmentHint, released)
  return { released: released.length }
})
