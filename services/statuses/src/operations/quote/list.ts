/** Statuses that quote a status, the latest quote first. */
import { pageReply } from '@murmuration/contracts/kit'
import { listQuotes } from '@murmuration/contracts/statuses'
import { endsOf, newestFirst } from '@murmuration/db'
import { handle } from '../../doors.js'
import { quotesPage } from '../../store/quote.js'
import { showStatuses } from '../../views/status.js'
import { visibleStatus } from '../../views/visible.js'

export const list = handle(listQuotes, async (ctx, viewer, { id, ...page }) => {
  const { proper } = await visibleStatus(ctx, viewer.id, id)
  const quotes = newestFirst(await quotesPage(ctx.db, proper.id, page), page)
  // The quoted author sees who speaks about them, whomever they block or mute.
  const place = proper.author_id === viewer.id ? 'single' : 'public'
  const texts = await showStatuses(
    ctx,
    viewer.id,
    quotes.map((one) => one.status_id),
    place,
  )
  return pageReply(
    listQuotes.output,
    quotes.flatMap((one) => texts.get(one.status_id) ?? []),
    endsOf(
      quotes.map((one) => one.id),
      page,
    ),
  )
})
