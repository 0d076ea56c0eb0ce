/** Announcements that are published now, for one person. */
import { announcementList } from '@murmuration/contracts/admin'
import { jsonArray, reply } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { publishedFor } from '../../store/announcement.js'
import { renderAnnouncements } from '../../views/announcement.js'

export const list = handle(announcementList, async (ctx, viewer, { with_dismissed }) => {
  const rows = (await publishedFor(ctx.db, viewer.id)).filter((row) => with_dismissed || !row.read)
  return reply(jsonArray(await renderAnnouncements(ctx, viewer.id, rows)))
})
