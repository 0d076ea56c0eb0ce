/** Handlers that serve collections of an account: followers, following, pinned statuses and hashtags. */
import { hashtagContext, noteContext } from '@murmuration/activitypub/vocabulary/context'
import { originOf } from '@murmuration/activitypub/vocabulary/uri'
import { actorAddresses } from '@murmuration/activitypub/vocabulary/write-actor'
import { writeCollection, writePage, writeWholeCollection } from '@murmuration/activitypub/vocabulary/write-collection'
import { writeHashtag } from '@murmuration/activitypub/vocabulary/write-tag'
import { followersAt } from '@murmuration/contracts/accounts'
import {
  showFeatured,
  showFeaturedTags,
  showFollowers,
  showFollowersSynchronisation,
  showFollowing,
} from '@murmuration/contracts/federation'
import { fail } from '@murmuration/contracts/kit'
import { accountTimeline, featuredTagNames } from '@murmuration/contracts/statuses'
import { activeAccount, sourcesOf } from '../core/address/local.js'
import { noteDocument } from '../core/note/view.js'
import { isSigned, readIncoming } from '../core/signature/incoming.js'
import { signerOf } from '../core/signature/signer.js'
import { handle } from '../handlers.js'
import { accountRequest } from './account-request.js'
import { recordReader } from './record-reader.js'
import { relationResponse } from './relation-page.js'
import { documentResponse } from './response.js'

/** `GET /ap/users/:id/collections/featured`: pinned statuses as embedded Notes. */
export const featured = handle(showFeatured, async (ctx, _viewer, input) => {
  const { request, requester, account, blocked } = await accountRequest(ctx, input)
  // The pinned statuses are read without a viewer, so followers-only statuses are not included.
  const pinned = blocked ? [] : await ctx.call(accountTimeline, { id: account.id, pinned: true, limit: 40 })
  const { sources, accounts } = await sourcesOf(
    ctx,
    pinned.map((it) => it.id),
  )
  const site = { origin: ctx.site.origin, localDomain: ctx.site.localDomain }
  const items = sources
    .map((it) => noteDocument(it, accounts, site))
    .filter((it) => it !== null)
    .map(({ '@context': _context, ...node }) => node)
  await recordReader(ctx, sources, { requester, request })
  const document = writeWholeCollection({ uri: actorAddresses(account.uri).featured, items, context: noteContext })
  return documentResponse(request, document, { requester, secure: ctx.self.secure })
})

/** `GET /ap/users/:id/followers`: followers of an account. */
export const followers = handle(showFollowers, (ctx, _viewer, input) => relationResponse(ctx, input, 'followers'))

/** `GET /ap/users/:id/following`: accounts that an account follows. */
export const following = handle(showFollowing, (ctx, _viewer, input) => relationResponse(ctx, input, 'following'))

/** `GET /ap/users/:id/collections/tags`: featured hashtags. */
export const tags = handle(showFeaturedTags, async (ctx, _viewer, input) => {
  const { request, requester, account, blocked } = await accountRequest(ctx, input)
  const uri = actorAddresses(account.uri).featuredTags
  const { tags: shown } = blocked ? { tags: [] } : await ctx.call(featuredTagNames, { account: account.id })
  const items = shown.map(writeHashtag)
  const document = writeWholeCollection({ uri, items, ordered: false, context: hashtagContext })
  return documentResponse(request, document, { requester, secure: ctx.self.secure })
})

/** Maximum number of followers in one document for followers synchronization. A longer list is served as pages. */
const PAGE = 5_000

/** `GET …/followers_synchronization`: followers of an account on the server of the signer (FEP-8fcf). */
export const followersSynchronisation = handle(showFollowersSynchronisation, async (ctx, _viewer, input) => {
  const request = readIncoming(input)
  if (!isSigned(request)) throw fail('unauthenticated', 'Request not signed')
  const requester = await signerOf(ctx, request, 'outside')
  const account = await activeAccount(ctx, { id: request.param('id'), username: request.param('username') })
  const origin = originOf(requester.owner) as string
  const cursor = request.query.get('after')
  const after = cursor !== null && /^\d{1,18}$/.test(cursor) ? cursor : '0'
  const { uris, next } = await ctx.call(followersAt, { account: account.id, origin, after, limit: PAGE })
  const uri = actorAddresses(account.uri).synchronisation
  const at = (cursor: string): string => `${uri}?after=${cursor}`
  const document =
    cursor !== null
      ? writePage({ uri: at(after), partOf: uri, items: uris, next: next && at(next) })
      : next === null
        ? writeWholeCollection({ uri, items: uris })
        : writeCollection({ uri, first: at('0') })
  return documentResponse(request, document, { requester, secure: ctx.self.secure })
})
