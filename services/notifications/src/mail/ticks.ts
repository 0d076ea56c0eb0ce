/** Tick that sends each account one e-mail about its waiting notifications that are due. */

import type { Context } from '../context.js'
import { tick } from '../handlers.js'
import { queueMails } from './begin.js'
import { SOON_MS } from './choice.rules.js'
import { deleteOldMails, isMailDue, takeDueNotifications } from './store.js'

const MAX_PEOPLE = 100
const KEPT_MS = 14 * 86_400_000

const queueDue = async (ctx: Context, now: Date): Promise<void> => {
  if (!(await isMailDue(ctx.db, now))) return
  await ctx.db.tx(async (tx) => {
    const due = await takeDueNotifications(tx, now, new Date(now.getTime() - SOON_MS), MAX_PEOPLE)
    const mails = due.map(({ recipient_id, ids }) => ({
      kind: 'news' as const,
      source: `news:${recipient_id}:${ids[0]}`,
      recipient_id,
      values: { notifications: ids },
    }))
    await queueMails(ctx, tx, mails)
  })
}

export const queueNotificationMails = tick('notifications.write-news', 15_000, async (ctx) => {
  const now = ctx.clock.date()
  await Promise.all([queueDue(ctx, now), deleteOldMails(ctx.db, new Date(now.getTime() - KEPT_MS))])
})
