/** Fetches and verifies the authorization of a quote or reply (FEP-044f). */

import { typesOf } from '@murmuration/activitypub/vocabulary/json'
import { readQuoteAuthorization, readReplyAuthorization } from '@murmuration/activitypub/vocabulary/read-quote'
import { readUri, sameOrigin, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import type { FetchContext } from './actor.js'
import { readDocument } from './document.js'
import { type Failed, failed } from './document-fetcher.js'
import { documentByUrl } from './object.js'
import { authorizationFault } from './quote-authorization.rules.js'

/** Why an authorization is not valid. `unfit`: it was fetched, but is for other statuses or by another author. */
type Fault = Failed & { unfit: boolean }
const fault = (of: Failed['outcome'], unfit = false): Fault => ({ ...failed(of), unfit })

/**
 * Returns `id` if `address`, on the same server, leads to the document with this id; else `address`. Returns `later` if
 * the document cannot be read now.
 */
const meant = async <T extends Uri | null>(context: FetchContext, address: T, id: Uri): Promise<T | Uri | 'later'> => {
  if (address === null || address === id || !sameOrigin(address, id)) return address
  const found = await documentByUrl(context, address)
  if (!found.ok && found.outcome === 'later') return 'later'
  return found.ok && found.uri === id ? id : address
}

export const verifyAuthorization = async (
  context: FetchContext,
  it: { stamp: string; status: string; quoted: string; quotedAuthor: string; reply: boolean },
): Promise<{ ok: true } | Fault> => {
  const [uri, status, quoted, quotedAuthor] = [it.stamp, it.status, it.quoted, it.quotedAuthor].map(readUri)
  if (!uri || !status || !quoted || !quotedAuthor) return fault('refused')
  const read = await readDocument(context.fetcher, uri, {
    kind: 'object',
    ownHosts: context.self.ownHosts,
    exact: true,
  })
  if (!read.ok) return fault(read.outcome)
  if (typesOf(read.document).includes('Tombstone')) return fault('gone')
  const authorization = it.reply ? readReplyAuthorization(read.document) : readQuoteAuthorization(read.document)
  if (authorization === null) return fault('refused')
  // The authorization may name the author and the statuses by their pages.
  const [author, quoting, target] = await Promise.all([
    meant(context, authorization.attributedTo, quotedAuthor),
    meant(context, authorization.interactingObject, status),
    meant(context, authorization.interactionTarget, quoted),
  ])
  if (author === 'later' || quoting === 'later' || target === 'later') return fault('later')
  const named = { ...authorization, attributedTo: author, interactingObject: quoting, interactionTarget: target }
  const unfit = authorizationFault(named, { uri: read.uri, status, quoted, quotedAuthor }) !== null
  return unfit ? fault('refused', unfit) : { ok: true }
}
