/** What Note documents of statuses are written from. */
import { attachmentRecords } from '@murmuration/contracts/media'
import { statusSources } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { factsOf } from '../../store/fact.js'
import { rowsOf } from '../../store/status.js'
import { sourceOf } from '../../views/record.js'

const NONE = { replies: 0, reblogs: 0, favourites: 0 }

export const sources = handle(statusSources, async (ctx, _viewer, { ids }) => {
  const [rows, facts] = await Promise.all([rowsOf(ctx.db, ids), factsOf(ctx.db, null, ids)])
  const living = [...rows.values()].filter((row) => row.deleted_at === null)
  const media = living.flatMap((row) => row.media_ids)
  const attachments = media.length ? (await ctx.call(attachmentRecords, { ids: media })).records : []
  const byId = new Map(attachments.map((one) => [one.id, one]))
  return { sources: living.map((row) => sourceOf(row, byId, facts.get(row.id) ?? NONE)) }
})
