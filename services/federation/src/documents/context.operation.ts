/** `GET /ap/contexts/:context`: a conversation that began on this server, as a collection of its first author (FEP-f228). */

import { writePage } from '@murmuration/activitypub/vocabulary/write-collection'
import { accountRecords } from '@murmuration/contracts/accounts'
import { showContext, showContextItems } from '@murmuration/contracts/federation'
import { isId, notFound } from '@murmuration/contracts/kit'
import { contextPage } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import { accountsBlocking } from '../core/address/local.js'
import { contextUri } from '../core/note/view.js'
import { type Incoming, readIncoming } from '../core/signature/incoming.js'
import { type Requester, requesterOf } from '../core/signature/requester.js'
import { handle } from '../handlers.js'
import { cursor } from './account-request.js'
import { documentResponse, MAX_AGE_SECONDS } from './response.js'

const SIZE = 60

/**
 * A page of the statuses of a conversation, at most `SIZE`. Statuses of accounts that are suspended or block the requesting
 * actor are left out.
 *
 * Throws `not_found` for a conversation that is not public, or whose owner blocks the requesting actor.
 */
const pageOf = async (ctx: Context, root: string, after: string | undefined, requester: Requester) => {
  if (!isId(root)) throw notFound()
  const { author, statuses, next } = await ctx.call(contextPage, { root, limit: SIZE, ...(after ? { after } : {}) })
  if (author === null) throw notFound()
  const accounts = [...new Set([author, ...statuses.map((it) => it.author)])]
  const [{ records }, away] = await Promise.all([
    ctx.call(accountRecords, { ids: accounts }),
    accountsBlocking(ctx, accounts, requester),
  ])
  const shown = new Map(records.filter((it) => !it.suspended && !away.has(it.id)).map((it) => [it.id, it]))
  const owner = shown.get(author)
  if (owner === undefined) throw notFound()
  const uri = contextUri(ctx.site, root)
  const page = writePage({
    uri: after === undefined ? `${uri}/items` : `${uri}/items?min_id=${after}`,
    partOf: uri,
    items: statuses.filter((it) => shown.has(it.author)).map((it) => it.uri),
    next: next === null ? null : `${uri}/items?min_id=${next}`,
    ordered: false,
  })
  return { uri, owner, page }
}

const readRequest = async (ctx: Context, input: unknown): Promise<{ request: Incoming; made: Made }> => {
  const request = readIncoming(input)
  return {
    request,
    made: { requester: await requesterOf(ctx, request), secure: ctx.self.secure, seconds: MAX_AGE_SECONDS.page },
  }
}
type Made = Parameters<typeof documentResponse>[2]

export const context = handle(showContext, async (ctx, _viewer, input) => {
  const { request, made } = await readRequest(ctx, input)
  const { uri, owner, page } = await pageOf(ctx, request.param('context') ?? '', undefined, made.requester)
  const { '@context': terms, ...first } = page
  return documentResponse(
    request,
    { '@context': terms, id: uri, type: 'Collection', attributedTo: owner.uri, first },
    made,
  )
})

export const contextItems = handle(showContextItems, async (ctx, _viewer, input) => {
  const { request, made } = await readRequest(ctx, input)
  const { page } = await pageOf(ctx, request.param('context') ?? '', cursor(request, 'min_id'), made.requester)
  return documentResponse(request, page, made)
})
