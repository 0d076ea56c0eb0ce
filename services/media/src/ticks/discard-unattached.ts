/** Deletes attachments that no status has held for a day. */
import { attachmentHint } from '@murmuration/contracts/media'
import { dropFiles } from '../changes/keep-files.js'
import { UNATTACHED_MS } from '../domain/attachment.js'
import { tick } from '../doors.js'
import { keysOf } from '../store/attachment.js'
import { deleteUnattached } from '../store/holding.js'
import { loosenFiles } from '../store/loose-file.js'

const MOST = 500

export const discardUnattached = tick('media.discard-unattached', 60_000, async (ctx) => {
  const before = new Date(ctx.clock.now() - UNATTACHED_MS)
  const rows = await ctx.db.tx(async (tx) => {
    const gone = await deleteUnattached(tx, before, MOST)
    await loosenFiles(tx, keysOf(gone), ctx.clock.date())
    return gone
  })
  await dropFiles(ctx, keysOf(rows))
  ctx.hints.send(
    attachmentHint,
    rows.map((row) => row.id),
  )
})
