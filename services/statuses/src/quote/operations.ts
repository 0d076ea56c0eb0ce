/** Handlers of quotes. */
import { fail, pageReply } from '@murmuration/contracts/kit'
import { listQuotes, localQuoters, revokeQuote, showAuthorization } from '@murmuration/contracts/statuses'
import { endsOf, newestFirst } from '@murmuration/db'
import { authorizationById, revokeAuthorization } from '../core/quote/authorization.store.js'
import { changeQuote } from '../core/quote/quote.js'
import { holdQuote, localQuotersOf, quotesOf, quotesPage } from '../core/quote/store.js'
import { showStatus, showStatuses } from '../core/render/show-status.js'
import { rowOf } from '../core/status/store.js'
import { lockUri } from '../core/status/tombstone.store.js'
import { NO_ID, noStatus, visibleStatus } from '../core/visibility/find-status.js'
import { handle } from '../handlers.js'

/** Statuses that quote a status, latest quote first. */
export const list = handle(listQuotes, async (ctx, viewer, { id, ...page }) => {
  const { original } = await visibleStatus(ctx, viewer.id, id)
  const quotes = newestFirst(await quotesPage(ctx.db, original.id, page), page)
  // The quoted author sees all quotes, also by accounts that the author blocks or mutes.
  const place = original.author_id === viewer.id ? 'single' : 'public'
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

/** Revokes a quote of an own status. Returns the quoting status. */
export const revoke = handle(revokeQuote, async (ctx, viewer, { id, quoting_status_id: quotingId }) => {
  const { status } = await visibleStatus(ctx, viewer.id, id)
  const quote = (await quotesOf(ctx.db, [quotingId])).get(quotingId)
  const isOwn = status.author_id === viewer.id
  // A quote that the account may not see causes the same error as a missing one.
  if (!isOwn) await visibleStatus(ctx, viewer.id, quotingId)
  if (quote?.quoted_id !== status.id) throw noStatus()
  if (!isOwn) throw fail('forbidden', 'This action is not allowed')
  const [quoting, quoted] = await Promise.all([rowOf(ctx.db, quotingId), rowOf(ctx.db, status.id)])
  if (!quoting || !quoted) throw noStatus()
  await ctx.db.tx(async (tx) => {
    // Locks the uri of the quoting status before the quote, as requests of the quoting server do, so that transactions
    // do not deadlock.
    await lockUri(tx, quoting.uri)
    const held = await holdQuote(tx, quotingId)
    if (!held) throw noStatus()
    const authorization = {
      id: ctx.ids.next(),
      quoted_id: quoted.id,
      quoted_author_id: quoted.author_id,
      quoting_uri: quoting.uri,
      quoting_author_id: quoting.author_id,
    }
    await revokeAuthorization(tx, authorization, ctx.clock.date())
    await changeQuote(ctx, tx, held, quoting, quoted, { state: 'revoked', stamp: null })
  })
  return showStatus(ctx, viewer.id, quotingId)
})

/** Local accounts that quote a status, by page. */
export const listLocalQuoters = handle(localQuoters, async (ctx, _viewer, { status, after, limit = 1_000 }) => {
  const rows = await localQuotersOf(ctx.db, status, { after: after ?? '0', limit })
  return {
    quotes: rows.map((row) => ({ account: row.account_id, status: row.status_id })),
    next: rows.length === limit ? (rows.at(-1)?.id ?? null) : null,
  }
})

/**
 * A quote authorization of this server; null if it is missing or revoked, or the quoted status is deleted. The same
 * statements run in each case, because the quoted status may be hidden from the client.
 */
export const authorization = handle(showAuthorization, async (ctx, _viewer, { id }) => {
  const given = await authorizationById(ctx.db, id)
  const quoted = await rowOf(ctx.db, given?.quoted_id ?? NO_ID)
  if (!given || given.revoked || !quoted) return { stamp: null }
  return {
    stamp: {
      author: given.quoted_author_id,
      quoted: quoted.id,
      quotedUri: quoted.uri,
      statusUri: given.quoting_uri,
    },
  }
})
