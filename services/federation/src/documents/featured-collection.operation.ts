/** Handlers that serve featured collections of accounts (FEP-7aa9). */
import { actorAddresses } from '@murmuration/activitypub/vocabulary/write-actor'
import {
  featureAuthorizationUri,
  writeFeatureAuthorization,
  writeFeaturedCollection,
  writeFeaturedCollections,
} from '@murmuration/activitypub/vocabulary/write-featured-collection'
import { collectionItemAuthorization, collectionSources } from '@murmuration/contracts/accounts'
import {
  showFeatureAuthorization,
  showFeaturedCollection,
  showFeaturedCollections,
} from '@murmuration/contracts/federation'
import { isId, notFound } from '@murmuration/contracts/kit'
import { wantsPage } from '@murmuration/text'
import { activeAccount, isBlockedBy, relationshipTo } from '../core/address/local.js'
import { headerText, readIncoming } from '../core/signature/incoming.js'
import { requesterOf } from '../core/signature/requester.js'
import { handle } from '../handlers.js'
import { accountRequest } from './account-request.js'
import { documentResponse, MAX_AGE_SECONDS, pageRedirect } from './response.js'

/** `GET /ap/users/:id/featured_collections`: discoverable collections of an account. */
export const list = handle(showFeaturedCollections, async (ctx, _viewer, input) => {
  const { request, requester, account, blocked } = await accountRequest(ctx, input)
  const { collections } = blocked
    ? { collections: [] }
    : await ctx.call(collectionSources, { keptBy: account.id, viewer: requester?.accountId ?? null })
  const document = writeFeaturedCollections(actorAddresses(account.uri).featuredCollections, collections)
  return documentResponse(request, document, { requester, secure: ctx.self.secure })
})

/** `GET /ap/users/:id/collections/:collection`: a collection with the accounts that accepted to be in it. */
export const show = handle(showFeaturedCollection, async (ctx, _viewer, input) => {
  const request = readIncoming(input)
  // A browser does not sign its requests, so it is redirected to the page, which checks whether its viewer may see the
  // collection.
  const page = wantsPage(headerText(request, 'accept'))
  const requester = page ? null : await requesterOf(ctx, request)
  const account = await activeAccount(ctx, { id: request.param('id'), username: request.param('username') })
  const id = request.param('collection') ?? ''
  const [relationship, { collections }] = await Promise.all([
    relationshipTo(ctx, account.id, requester),
    isId(id) ? ctx.call(collectionSources, { ids: [id], viewer: requester?.accountId ?? null }) : { collections: [] },
  ])
  const [source] = collections
  // Hidden and absent collections get the same response.
  if (source?.owner !== account.id || isBlockedBy(relationship)) throw notFound()
  return page
    ? pageRedirect(source.url)
    : documentResponse(request, writeFeaturedCollection(source), { requester, secure: ctx.self.secure })
})

/** `GET …/feature_authorizations/:item`: consent of an account to be in a collection. */
export const authorization = handle(showFeatureAuthorization, async (ctx, _viewer, input) => {
  const { request, requester, account } = await accountRequest(ctx, input)
  const id = request.param('item') ?? ''
  const { authorization: given } = isId(id)
    ? await ctx.call(collectionItemAuthorization, { id })
    : { authorization: null }
  if (given?.account !== account.id) throw notFound()
  const uri = featureAuthorizationUri(account.uri, id)
  const document = writeFeatureAuthorization({ uri, account: account.uri, collection: given.collectionUri })
  return documentResponse(request, document, { requester, secure: ctx.self.secure, seconds: MAX_AGE_SECONDS.stamp })
})
