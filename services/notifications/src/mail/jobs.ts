/** Jobs that send e-mails. */

import { emailPage } from '@murmuration/contracts/accounts'
import { mailTermsJob, sendMailJob } from '@murmuration/contracts/notifications'
import { PermanentError, processOnce, queueOf } from '@murmuration/kernel'
import { work } from '../handlers.js'
import { queueMails } from './begin.js'
import { composeMail } from './compose.js'
import { mailById, recordSent } from './store.js'

/** Composes and sends one e-mail. */
export const sendMail = work(
  sendMailJob,
  async (ctx, { mail: id, restored = false }) => {
    const row = await mailById(ctx.db, id)
    if (!row && restored) throw new PermanentError('the e-mail no longer exists')
    if (!row || row.sent_at) return
    const mail = await composeMail(ctx, row)
    if (mail === null && restored)
      throw new PermanentError('the e-mail is no longer needed, or its content was deleted')
    // If the process ends after sending the e-mail and before recording this, the e-mail is sent again with the same message id.
    if (mail) await ctx.mail.send({ ...mail, id: row.id, at: row.created_at })
    await recordSent(ctx.db, id, ctx.clock.date())
  },
  { restored: (data) => ({ ...data, restored: true }) },
)

const PAGE = 500

/** Queues e-mails about new terms of service to one page of accounts, and the job for the next page. */
export const mailTerms = work(mailTermsJob, async (ctx, { terms, day, after }, meta) => {
  const { ids, next } = await ctx.call(emailPage, { after, limit: PAGE })
  const mails = ids.map((recipient_id) => ({
    kind: 'terms' as const,
    source: `terms:${terms}:${recipient_id}`,
    recipient_id,
    values: { day },
  }))
  await ctx.db.tx((tx) =>
    processOnce(tx, { consumer: queueOf(mailTermsJob), eventId: meta.id }, async () => {
      await queueMails(ctx, tx, mails)
      if (next !== null) await ctx.queue(tx, mailTermsJob, { terms, day, after: next })
    }),
  )
})
