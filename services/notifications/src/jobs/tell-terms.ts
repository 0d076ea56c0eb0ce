/** Writes to a page of people about new terms of service, and queues the page after it. */
import { emailPage } from '@murmuration/contracts/accounts'
import { tellTermsJob } from '@murmuration/contracts/notifications'
import { once, queueOf } from '@murmuration/kernel'
import { queueMails } from '../changes/mail.js'
import { work } from '../doors.js'

const PAGE = 500

export const tellTerms = work(tellTermsJob, async (ctx, { terms, day, after }, meta) => {
  const { ids, next } = await ctx.call(emailPage, { after, limit: PAGE })
  const mails = ids.map((recipient_id) => ({
    kind: 'terms' as const,
    source: `terms:${terms}:${recipient_id}`,
    recipient_id,
    facts: { day },
  }))
  await ctx.db.tx((tx) =>
    once(tx, { consumer: queueOf(tellTermsJob), eventId: meta.id }, async () => {
      await queueMails(ctx, tx, mails)
      if (next !== null) await ctx.queue(tx, tellTermsJob, { terms, day, after: next })
    }),
  )
})
