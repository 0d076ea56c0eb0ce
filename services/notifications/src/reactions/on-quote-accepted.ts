/** The author of a quoted status is told once the quote is shown. */
import { quoteAccepted } from '@murmuration/contracts/statuses'
import { sources } from '../changes/news.js'
import { notify } from '../changes/notify.js'
import { react } from '../doors.js'

export const onQuoteAccepted = react(quoteAccepted, 'on-quote-accepted', async (ctx, e) => {
  if (!e.push || !e.quotedLocal) return
  await notify(ctx, e, e.author, [
    { type: 'quote', recipients: [e.quotedAuthor], source: sources.status(e.status), status: e.status, at: e.at },
  ])
})
