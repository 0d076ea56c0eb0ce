/** Gathers notifications that waited long enough into one mail for each person. */
import { queueMail } from '../changes/mail.js'
import { tick } from '../doors.js'
import { deleteOldMails, takeDueNews } from '../store/mail.js'

const MOST_PEOPLE = 100
const KEPT_MS = 14 * 86_400_000

export const writeNews = tick('notifications.write-news', 15_000, async (ctx) => {
  const now = ctx.clock.date()
  await ctx.db.tx(async (tx) => {
    // Rows and jobs of one transaction, which can only be stored one after the other.
    for (const { recipient_id, ids } of await takeDueNews(tx, now, MOST_PEOPLE))
      await queueMail(ctx, tx, {
        kind: 'news',
        source: `news:${recipient_id}:${ids[0]}`,
        recipient_id,
        facts: { notifications: ids },
      })
  })
  await deleteOldMails(ctx.db, new Date(now.getTime() - KEPT_MS))
})
