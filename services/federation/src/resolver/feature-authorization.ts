/** Fetches and verifies a FeatureAuthorization: the consent of an account to be in a collection (FEP-7aa9). */

import { typesOf } from '@murmuration/activitypub/vocabulary/json'
import { readFeatureAuthorization } from '@murmuration/activitypub/vocabulary/read-featured-collection'
import { readUri, sameOrigin } from '@murmuration/activitypub/vocabulary/uri'
import type { FetchContext } from './actor.js'
import { readDocument } from './document.js'
import { type Failed, failed } from './document-fetcher.js'
import { authorizationFault } from './feature-authorization.rules.js'

export const proveFeatureAuthorization = async (
  context: FetchContext,
  it: { authorization: string; collection: string; account: string },
): Promise<{ ok: true } | Failed> => {
  const [uri, collection, account] = [it.authorization, it.collection, it.account].map(readUri)
  // An authorization on another server than the account's cannot be valid, so it is not fetched.
  if (!uri || !collection || !account || !sameOrigin(uri, account)) return failed('refused')
  const read = await readDocument(context.fetcher, uri, {
    kind: 'object',
    ownHosts: context.self.ownHosts,
    exact: true,
  })
  if (!read.ok) return read
  if (typesOf(read.document).includes('Tombstone')) return failed('gone')
  const given = readFeatureAuthorization(read.document)
  const fault = given === null || authorizationFault(given, { uri: read.uri, collection, account }) !== null
  return fault ? failed('refused') : { ok: true }
}
