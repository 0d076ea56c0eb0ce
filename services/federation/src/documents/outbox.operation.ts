/** `GET /ap/users/:id/outbox`: activities of an account, newest first, twenty per page. */

import { noteContext } from '@murmuration/activitypub/vocabulary/context'
import { actorAddresses } from '@murmuration/activitypub/vocabulary/write-actor'
import { writeCollection, writePage } from '@murmuration/activitypub/vocabulary/write-collection'
import { showOutbox } from '@murmuration/contracts/federation'
import { outboxPage } from '@murmuration/contracts/statuses'
import { sourcesOf } from '../core/address/local.js'
import { activityDocument } from '../core/note/view.js'
import { handle } from '../handlers.js'
import { accountRequest, cursor } from './account-request.js'
import { recordReader } from './record-reader.js'
import { documentResponse, MAX_AGE_SECONDS } from './response.js'

const SIZE = 20

export const outbox = handle(showOutbox, async (ctx, _viewer, input) => {
  const { request, requester, account, blocked } = await accountRequest(ctx, input)
  const uri = actorAddresses(account.uri).outbox
  const made = { requester, secure: ctx.self.secure }
  const [max_id, min_id] = [cursor(request, 'max_id'), cursor(request, 'min_id')]
  const isRoot = !request.query.has('page')
  const page = blocked
    ? { ids: [], total: 0 }
    : await ctx.call(outboxPage, { author: account.id, max_id, min_id, limit: SIZE, counted: isRoot })
  if (isRoot) {
    const root = writeCollection({
      uri,
      totalItems: page.total,
      first: `${uri}?page=true`,
      last: `${uri}?min_id=0&page=true`,
    })
    return documentResponse(request, root, made)
  }
  const { sources, accounts } = await sourcesOf(ctx, page.ids)
  const site = { origin: ctx.site.origin, localDomain: ctx.site.localDomain }
  const items = sources
    .map((it) => activityDocument(it, accounts, site))
    .filter((it) => it !== null)
    .map(({ '@context': _context, ...node }) => node)
  await recordReader(ctx, sources, { requester, request })
  const [first, last] = [page.ids[0], page.ids.at(-1)]
  const document = writePage({
    uri: `${uri}${request.path.slice(request.path.indexOf('?'))}`,
    partOf: uri,
    items,
    context: noteContext,
    next: last !== undefined && page.ids.length === SIZE ? `${uri}?max_id=${last}&page=true` : null,
    prev: first === undefined ? null : `${uri}?min_id=${first}&page=true`,
  })
  return documentResponse(request, document, { ...made, seconds: MAX_AGE_SECONDS.page })
})
