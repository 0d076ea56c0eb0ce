/** Publishes a status whose time has come, once; what can no longer be published is dropped. */
import { isRetryable } from '@murmuration/contracts/kit'
import { publishScheduled as contract } from '@murmuration/contracts/statuses'
import { compose } from '../changes/compose.js'
import { createOnce } from '../changes/create.js'
import { releaseMedia } from '../changes/media.js'
import { putIntoOwn } from '../changes/own-feed.js'
import { work } from '../doors.js'
import { beginPublishing, deleteScheduled } from '../store/scheduled.js'

export const publishScheduled = work(contract, async (ctx, { id }) => {
  const row = await beginPublishing(ctx.db, id, ctx.ids.next())
  if (!row) return
  const { params } = row
  try {
    const composed = await compose(
      ctx,
      row.account_id,
      {
        ...params,
        status: params.text,
        media_ids: row.media_ids,
        sensitive: params.sensitive ?? undefined,
        allowed_mentions: params.allowed_mentions ?? undefined,
      },
      { locale: '', application: row.application },
    )
    const created = await createOnce(ctx, row.account_id, composed, {
      id: row.status_id,
      from: id,
      also: async (tx) => (await deleteScheduled(tx, id)) > 0,
    })
    if (created.whole !== null) await putIntoOwn(ctx, row.account_id, { id: created.id, original: null })
  } catch (error) {
    if (isRetryable(error)) throw error
    // Its parent is gone, or the author may not write any longer: nobody waits for it.
    ctx.log.info({ scheduled: id, error }, 'a scheduled status could not be published')
    await ctx.db.tx((tx) => deleteScheduled(tx, id))
    await releaseMedia(ctx, id, row.media_ids)
  }
})
