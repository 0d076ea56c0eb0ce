/**
 * Serves the collections followers and following: a root document with the count, and numbered pages of actor ids that
 * link to the next page.
 */

import { actorAddresses } from '@murmuration/activitypub/vocabulary/write-actor'
import { writeCollection, writeHiddenCollection, writePage } from '@murmuration/activitypub/vocabulary/write-collection'
import { relationPage } from '@murmuration/contracts/accounts'
import { fail, type Reply } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { accountRequest, cursor } from './account-request.js'
import { documentResponse, MAX_AGE_SECONDS } from './response.js'

const SIZE = 12
/**
 * Highest page number of a followers or following collection that a request may name. Pages with a higher number need a
 * cursor, because counting through many rows is slow.
 */
const LAST_PAGE = 1_000

/** Number of the requested page, at most `max`. Returns null for the root document. An invalid number counts as page 1. */
const pageOf = (text: string | null, max: number): number | null => {
  if (text === null) return null
  const number = /^\d{1,6}$/.test(text) ? Number(text) : 1
  return Math.min(Math.max(number, 1), max)
}

export const relationResponse = async (
  ctx: Context,
  input: unknown,
  which: 'followers' | 'following',
): Promise<Reply<string>> => {
  const { request, requester, account } = await accountRequest(ctx, input)
  const uri = actorAddresses(account.uri)[which]
  const made = { requester, secure: ctx.self.secure }
  const before = cursor(request, 'max_id')
  const page = pageOf(request.query.get('page'), before === undefined ? LAST_PAGE : Number.MAX_SAFE_INTEGER)
  const counted = Math.min(page ?? 1, LAST_PAGE)
  const found = await ctx.call(relationPage, { id: account.id, which, page: counted, before, size: SIZE })
  if (page !== null && found.hidden) throw fail('forbidden', 'This list is not shown')
  if (found.hidden) return documentResponse(request, writeHiddenCollection({ uri, totalItems: found.total }), made)
  if (page === null)
    return documentResponse(request, writeCollection({ uri, totalItems: found.total, first: `${uri}?page=1` }), made)
  const document = writePage({
    uri: `${uri}?page=${page}${before === undefined ? '' : `&max_id=${before}`}`,
    partOf: uri,
    items: found.uris,
    totalItems: found.total,
    next: found.last === null ? null : `${uri}?page=${page + 1}&max_id=${found.last}`,
    prev: page > 1 && page <= LAST_PAGE + 1 ? `${uri}?page=${page - 1}` : null,
  })
  return documentResponse(request, document, { ...made, seconds: MAX_AGE_SECONDS.page })
}
