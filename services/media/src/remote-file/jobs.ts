/** Jobs that copy remote files, and delete the copies of a server. */
import { attachmentInvalidation, clearDomainJob, fetchRemoteJob } from '@murmuration/contracts/media'
import { queueNextOnce } from '@murmuration/kernel'
import { deleteFiles } from '../core/file/store-files.js'
import { insertUnusedFiles } from '../core/file/unused.store.js'
import { work } from '../handlers.js'
import { copyRemote } from './copy-remote.js'
import { clearAttachments, clearPictures } from './domain-copy.store.js'
import { isRefused } from './media-policy.rules.js'

/** Copies a remote file. After a failure, the tick `retry-remote` queues it again until it is given up. */
export const fetchRemote = work(fetchRemoteJob, async (ctx, data, { tries }) => {
  await copyRemote(ctx, data, tries < fetchRemoteJob.retry.times ? 'first' : 'last')
})

const PAGE = 500

/** Deletes one page of the copies of a server from which staff accepts no media any longer, and queues the next page. */
export const clearDomain = work(clearDomainJob, async (ctx, { what, after, whileRefused, ...scope }, meta) => {
  // Staff may have accepted the server since the previous page.
  if (whileRefused && !isRefused(ctx, scope.domain)) return
  const clear = what === 'attachment' ? clearAttachments : clearPictures
  const gone = await ctx.db.tx(async (tx) => {
    const rows = await clear(tx, scope, after, PAGE)
    const keys = rows.flatMap((row) => row.keys)
    await insertUnusedFiles(tx, keys, ctx.clock.date())
    const last = rows.reduce((max, { id }) => (BigInt(id) > BigInt(max) ? id : max), after)
    const next = { ...scope, whileRefused, what, after: last }
    if (rows.length === PAGE) await queueNextOnce(tx, clearDomainJob, meta, () => ctx.queue(tx, clearDomainJob, next))
    return { keys, ids: rows.map((row) => row.id) }
  })
  await deleteFiles(ctx, gone.keys)
  if (what === 'attachment') ctx.invalidations.send(attachmentInvalidation, gone.ids)
})
