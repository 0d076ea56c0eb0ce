/** Deletes our copies of what a server sent that staff takes no media from any more. */
import { attachmentHint, clearDomainJob } from '@murmuration/contracts/media'
import { dropFiles } from '../changes/keep-files.js'
import { work } from '../doors.js'
import { isRefused } from '../outside/copying.js'
import { clearAttachments, clearPictures } from '../store/domain-copy.js'
import { loosenFiles } from '../store/loose-file.js'

const PAGE = 500

export const clearDomain = work(clearDomainJob, async (ctx, { what, after, whileRefused, ...scope }) => {
  // Staff may have let the server in since the page before.
  if (whileRefused && !isRefused(ctx, scope.domain)) return
  const clear = what === 'attachment' ? clearAttachments : clearPictures
  const gone = await ctx.db.tx(async (tx) => {
    const rows = await clear(tx, scope, after, PAGE)
    const keys = rows.flatMap((row) => row.keys)
    await loosenFiles(tx, keys, ctx.clock.date())
    const last = rows.reduce((most, { id }) => (BigInt(id) > BigInt(most) ? id : most), after)
    if (rows.length === PAGE) await ctx.queue(tx, clearDomainJob, { ...scope, whileRefused, what, after: last })
    return { keys, ids: rows.map((row) => row.id) }
  })
  await dropFiles(ctx, gone.keys)
  if (what === 'attachment') ctx.hints.send(attachmentHint, gone.ids)
})
