/** Reads the quote of a status: the quoted status, its authorization, and the quote policy. */

import { firstOf, hrefOf, idOf, idsOf, isLoose, type Loose, listOf, prop, typesOf } from './loose.js'
import type { IncomingNote, IncomingPolicy, IncomingQuote } from './note.js'
import { isPublic, publicCollection, readUri, type Uri } from './uri.js'

/** Fields from before FEP-044f, best first. */
const legacyNames = ['_misskey_quote', 'quoteUrl', 'quoteUri'] as const

/** The quote, or null. `tagged` is the address that a link tag gave, which is looked at last. */
export const readQuote = (node: Loose, tagged: Uri | null): IncomingQuote | null => {
  const quote = firstOf(prop(node, 'quote'))
  const authorization = idOf(prop(node, 'quoteAuthorization'))
  const modern = quote !== undefined && quote !== null
  if (modern && isLoose(quote) && typesOf(quote).includes('Tombstone'))
    return { uri: null, authorization, legacy: false }
  const own = idOf(quote) ?? hrefOf(quote)
  const uri =
    own ??
    legacyNames.map((name) => idOf(prop(node, name)) ?? hrefOf(prop(node, name))).find((it) => it !== null) ??
    tagged
  return uri === null ? null : { uri, authorization, legacy: own === null }
}

/** How many actors and collections a policy may name. */
const mostInPolicy = 100

const readApprovals = (value: unknown): readonly Uri[] => {
  const named = listOf(value, mostInPolicy)
  return [
    ...(named.some(isPublic) ? [publicCollection] : []),
    ...idsOf(named, mostInPolicy).filter((it) => it !== publicCollection),
  ]
}

/** One part of an interaction policy; `always` and `approvalRequired` are the older names. */
const readPart = (policy: unknown, name: string): IncomingPolicy | null => {
  const part = isLoose(policy) ? prop(policy, name) : undefined
  if (!isLoose(part)) return null
  return {
    automatic: readApprovals(prop(part, 'automaticApproval') ?? prop(part, 'always')),
    manual: readApprovals(prop(part, 'manualApproval') ?? prop(part, 'approvalRequired')),
  }
}

/** The interaction policy. A missing part is null, which differs from a part that allows no account. */
export const readPolicy = (node: Loose): IncomingNote['policy'] => {
  const policy = prop(node, 'interactionPolicy')
  return {
    quote: readPart(policy, 'canQuote'),
    reply: readPart(policy, 'canReply'),
    like: readPart(policy, 'canLike'),
    announce: readPart(policy, 'canAnnounce'),
  }
}

/** Actors that may put an actor into a collection (FEP-7aa9). Null when absent, which must not count as consent. */
export const readFeaturePolicy = (node: Loose): IncomingPolicy | null =>
  readPart(prop(node, 'interactionPolicy'), 'canFeature')

/** Authorization of a quote or reply, as its origin sent it. */
export type IncomingStamp = {
  readonly uri: Uri
  readonly attributedTo: Uri
  /** The quoting status, or the reply. */
  readonly interactingObject: Uri
  /** The quoted status, or the parent of the reply; null where older servers omit it. */
  readonly interactionTarget: Uri | null
}

const readFields = (value: Loose, [by, status, target]: readonly [string, string, string]): IncomingStamp | null => {
  const uri = readUri(prop(value, 'id'))
  const [attributedTo, interactingObject] = [idOf(prop(value, by)), idOf(prop(value, status))]
  if (!uri || !attributedTo || !interactingObject) return null
  return { uri, attributedTo, interactingObject, interactionTarget: idOf(prop(value, target)) }
}

const authorization = ['attributedTo', 'interactingObject', 'interactionTarget'] as const

/** A quote stamp, or null when a field is missing or the node is something else. */
export const readStamp = (value: unknown): IncomingStamp | null => {
  if (!isLoose(value) || !typesOf(value).includes('QuoteAuthorization')) return null
  const stamp = readFields(value, authorization)
  return stamp?.interactionTarget ? stamp : null
}

/**
 * The approval of an answer (GoToSocial), or null. Before `ReplyAuthorization` there was `ReplyApproval`, and before that the
 * Accept itself, which may not say what is answered.
 */
export const readReplyStamp = (value: unknown): IncomingStamp | null => {
  if (!isLoose(value)) return null
  const types = typesOf(value)
  if (types.includes('Accept')) return readFields(value, ['actor', 'object', 'target'])
  const isNew = types.includes('ReplyAuthorization')
  if (!isNew && !types.includes('ReplyApproval')) return null
  const stamp = readFields(value, isNew ? authorization : ['attributedTo', 'object', 'target'])
  return stamp?.interactionTarget ? stamp : null
}
