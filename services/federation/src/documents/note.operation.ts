/** Handlers that serve a status: Note, activity, likes, shares and approvals of quotes. */

import { writeQuoteAuthorization } from '@murmuration/activitypub/vocabulary/write-quote'
import {
  showLikes,
  showNote,
  showNoteActivity,
  showQuoteAuthorization,
  showShares,
} from '@murmuration/contracts/federation'
import { isId, notFound } from '@murmuration/contracts/kit'
import { showAuthorization } from '@murmuration/contracts/statuses'
import { sourcesOf, visibleStatus } from '../core/address/local.js'
import { activityDocument, noteDocument } from '../core/note/view.js'
import { handle } from '../handlers.js'
import { aboutStatus } from './about-status.js'
import { accountRequest } from './account-request.js'
import { countResponse } from './count-response.js'
import { recordReader } from './record-reader.js'
import { documentResponse, MAX_AGE_SECONDS, pageRedirect } from './response.js'

/** `GET /ap/users/:id/statuses/:status`: a status as a Note. */
export const show = handle(showNote, async (ctx, _viewer, input) => {
  const { request, requester, account, status, page } = await aboutStatus(ctx, input)
  if (page) return pageRedirect(status.url ?? account.url)
  const { sources, accounts } = await sourcesOf(ctx, [status.id])
  const [source] = sources
  // A reblog has no Note: its only document is the Announce.
  const document =
    source && noteDocument(source, accounts, { origin: ctx.site.origin, localDomain: ctx.site.localDomain })
  if (!document) throw notFound()
  await recordReader(ctx, [source], { requester, request })
  const seconds = source.quote?.pending ? MAX_AGE_SECONDS.pending : MAX_AGE_SECONDS.document
  return documentResponse(request, document, { requester, secure: ctx.self.secure, seconds })
})

/** `GET …/statuses/:status/activity`: the Create of a status, or the Announce of a reblog. */
export const activity = handle(showNoteActivity, async (ctx, _viewer, input) => {
  const { request, requester, account, status, page } = await aboutStatus(ctx, input)
  if (page) return pageRedirect(status.url ?? account.url)
  const boosted = status.reblog_of !== null && status.reblog_of_author === status.author ? [status.reblog_of] : []
  const { sources, accounts } = await sourcesOf(ctx, [status.id, ...boosted])
  const [source, boosts] = sources
  const site = { origin: ctx.site.origin, localDomain: ctx.site.localDomain }
  const document = source && activityDocument(source, accounts, site, boosts)
  if (!document) throw notFound()
  await recordReader(ctx, typeof document.object === 'object' ? sources : [source], { requester, request })
  return documentResponse(request, document, { requester, secure: ctx.self.secure })
})

/** `GET …/statuses/:status/likes`: number of favourites of a status, without accounts. */
export const likes = handle(showLikes, (ctx, _viewer, input) =>
  countResponse(ctx, input, 'likes', (it) => it.favourites_count),
)

/** `GET …/statuses/:status/shares`: number of reblogs of a status. */
export const shares = handle(showShares, (ctx, _viewer, input) =>
  countResponse(ctx, input, 'shares', (it) => it.reblogs_count),
)

/** An id that no status has. */
const NO_ID = '0'

/**
 * `GET …/quote_authorizations/:stamp`: approval document of a quote (FEP-044f), for clients that may see the quoted
 * status. A missing approval causes the same calls as an approval for a hidden status, so that the response time does
 * not reveal which of the two it is.
 */
export const quoteAuthorization = handle(showQuoteAuthorization, async (ctx, _viewer, input) => {
  const { request, requester, account } = await accountRequest(ctx, input)
  const id = request.param('stamp') ?? ''
  const { stamp: given } = isId(id) ? await ctx.call(showAuthorization, { id }) : { stamp: null }
  await visibleStatus(ctx, account, given?.author === account.id ? given.quoted : NO_ID, requester)
  if (!given) throw notFound()
  const document = writeQuoteAuthorization({
    uri: `${account.uri}/quote_authorizations/${id}`,
    author: account.uri,
    status: given.statusUri,
    quoted: given.quotedUri,
  })
  return documentResponse(request, document, { requester, secure: ctx.self.secure, seconds: MAX_AGE_SECONDS.stamp })
})
