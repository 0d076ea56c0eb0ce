/** Parses quotes, interaction policies, and authorizations of quotes and replies. */

import {
  extension,
  firstOf,
  hrefOf,
  idOf,
  idsOf,
  isJsonObject,
  type JsonObject,
  listOf,
  prop,
  typesOf,
} from './json.js'
import type { IncomingNote, IncomingPolicy, IncomingQuote } from './note.js'
import { isPublic, publicCollection, readUri, type Uri } from './uri.js'

/** Properties for a quoted status that are older than FEP-044f, in order of preference. */
const legacyNames = ['_misskey_quote', 'quoteUrl', 'quoteUri'] as const

/** Parses the quote of a status; null if there is none. `tagged`: address in a link tag (FEP-e232), used last. */
export const readQuote = (node: JsonObject, tagged: Uri | null): IncomingQuote | null => {
  const quote = firstOf(prop(node, 'quote'))
  const authorization = idOf(prop(node, 'quoteAuthorization'))
  const modern = quote !== undefined && quote !== null
  if (modern && isJsonObject(quote) && typesOf(quote).includes('Tombstone'))
    return { uri: null, authorization, legacy: false }
  const own = idOf(quote) ?? hrefOf(quote)
  const uri =
    own ??
    legacyNames
      .map((name) => extension(node, name))
      .map((it) => idOf(it) ?? hrefOf(it))
      .find((it) => it !== null) ??
    tagged
  return uri === null ? null : { uri, authorization, legacy: own === null }
}

/** Maximum number of actors and collections in one part of an interaction policy. */
const maxInPolicy = 100

const readApprovals = (value: unknown): readonly Uri[] => {
  const named = listOf(value, maxInPolicy)
  return [
    ...(named.some(isPublic) ? [publicCollection] : []),
    ...idsOf(named, maxInPolicy).filter((it) => it !== publicCollection),
  ]
}

/**
 * Parses one part of an interaction policy, such as `canQuote`; null if absent. `always` and `approvalRequired` are
 * older property names.
 */
const readPart = (policy: unknown, name: string): IncomingPolicy | null => {
  const part = isJsonObject(policy) ? firstOf(prop(policy, name)) : undefined
  if (!isJsonObject(part)) return null
  return {
    automatic: readApprovals(prop(part, 'automaticApproval') ?? prop(part, 'always')),
    manual: readApprovals(prop(part, 'manualApproval') ?? prop(part, 'approvalRequired')),
  }
}

/** Parses an interaction policy. A part that is missing is null. An empty part permits no account. */
export const readPolicy = (node: JsonObject): IncomingNote['policy'] => {
  const policy = firstOf(prop(node, 'interactionPolicy'))
  return {
    quote: readPart(policy, 'canQuote'),
    reply: readPart(policy, 'canReply'),
    like: readPart(policy, 'canLike'),
    announce: readPart(policy, 'canAnnounce'),
  }
}

/**
 * Policy that states which actors may add an actor to a collection (FEP-7aa9). Null if absent: an absent policy permits
 * no actor.
 */
export const readFeaturePolicy = (node: JsonObject): IncomingPolicy | null =>
  readPart(firstOf(prop(node, 'interactionPolicy')), 'canFeature')

/** A parsed authorization of a quote or reply. */
export type IncomingAuthorization = {
  readonly uri: Uri
  readonly attributedTo: Uri
  /** URI of the quoting status, or of the reply. */
  readonly interactingObject: Uri
  /** URI of the quoted status, or of the parent of the reply; null if absent, as from older servers. */
  readonly interactionTarget: Uri | null
}

const readFields = (
  value: JsonObject,
  [by, status, target]: readonly [string, string, string],
): IncomingAuthorization | null => {
  const uri = readUri(prop(value, 'id'))
  const [attributedTo, interactingObject] = [idOf(prop(value, by)), idOf(prop(value, status))]
  if (!uri || !attributedTo || !interactingObject) return null
  return { uri, attributedTo, interactingObject, interactionTarget: idOf(prop(value, target)) }
}

const authorization = ['attributedTo', 'interactingObject', 'interactionTarget'] as const

/** Parses a QuoteAuthorization (FEP-044f). Null if a field is missing, or for other objects. */
export const readQuoteAuthorization = (value: unknown): IncomingAuthorization | null => {
  if (!isJsonObject(value) || !typesOf(value).includes('QuoteAuthorization')) return null
  const read = readFields(value, authorization)
  return read?.interactionTarget ? read : null
}

/**
 * Parses the approval of a reply (GoToSocial); null for other objects.
 *
 * The type is `ReplyAuthorization`, on older servers `ReplyApproval`, and on still older servers `Accept`, which may
 * lack the parent.
 */
export const readReplyAuthorization = (value: unknown): IncomingAuthorization | null => {
  if (!isJsonObject(value)) return null
  const types = typesOf(value)
  if (types.includes('Accept')) return readFields(value, ['actor', 'object', 'target'])
  const isNew = types.includes('ReplyAuthorization')
  if (!isNew && !types.includes('ReplyApproval')) return null
  const read = readFields(value, isNew ? authorization : ['attributedTo', 'object', 'target'])
  return read?.interactionTarget ? read : null
}
