/** Tick that sends each account one e-mail about its waiting notifications that are due. */

import type { Context } from '../context.js'
import { tick } from '../handlers.js'
import { queueMails } from './begin.js'
import { SOON_MS } from './choice.rules.js'
import { deleteOldMails, isMailDue, takeDueNotifications } from './store.js'

const MAX_PEOPLE = 100
const DAY_MS = 86_400_000
const KEPT_MS = 14 * DAY_MS
/** An e-mail that was not sent is kept longer, because an operator may replay the dead letter of its job. */
const UNSENT_KEPT_MS = 180 * DAY_MS

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
  const ago = (ms: number) => new Date(now.getTime() - ms)
  const limits = { before: ago(KEPT_MS), unsentBefore: ago(UNSENT_KEPT_MS) }
  await Promise.all([queueDue(ctx, now), deleteOldMails(ctx.db, limits)])
})
