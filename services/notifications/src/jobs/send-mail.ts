/** Writes one mail and hands it to the mail server. */
import { sendMailJob } from '@murmuration/contracts/notifications'
import { work } from '../doors.js'
import { mailById, noteSent } from '../store/mail.js'
import { composeMail } from '../views/compose.js'

export const sendMail = work(sendMailJob, async (ctx, { mail: id }) => {
  const row = await mailById(ctx.db, id)
  if (!row || row.sent_at) return
  const mail = await composeMail(ctx, row)
  // A process that dies between these two sends it again, under the same message id.
  if (mail) await ctx.mail.send({ ...mail, id: row.id, at: row.created_at })
  await noteSent(ctx.db, id, ctx.clock.date())
})
