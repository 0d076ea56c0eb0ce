/** Every announcement as staff keeps it. */
import { announcementListAll } from '@murmuration/contracts/admin'
import { handle } from '../../doors.js'
import { everyAnnouncement } from '../../store/announcement.js'
import { storedAnnouncement } from '../../views/announcement.js'

export const listAll = handle(announcementListAll, async (ctx) => ({
  announcements: (await everyAnnouncement(ctx.db)).map(storedAnnouncement),
}))
