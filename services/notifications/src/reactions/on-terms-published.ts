/** Terms of service were published: everybody here is told by mail, a page of people after another. */
import { termsPublished } from '@murmuration/contracts/admin'
import { tellTermsJob } from '@murmuration/contracts/notifications'
import { once } from '@murmuration/kernel'
import { react } from '../doors.js'

export const onTermsPublished = react(termsPublished, 'on-terms-published', async (ctx, e) => {
  await ctx.db.tx((tx) => once(tx, e, () => ctx.queue(tx, tellTermsJob, { terms: e.id, day: e.day })))
})
