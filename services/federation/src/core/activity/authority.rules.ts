/** Decides whether a sender may send an activity: its actor, its authority over the object, and the origins of ids. */

import type { Activity } from '@murmuration/activitypub/vocabulary/activity'
import type { JsonObject } from '@murmuration/activitypub/vocabulary/json'
import { authorsIn } from '@murmuration/activitypub/vocabulary/read-note'
import { hostOf, originOf, sameOrigin, type Uri } from '@murmuration/activitypub/vocabulary/uri'

declare const proved: unique symbol

/** A URI whose origin was proved by a signature or by TLS. Only such URIs may become keys in a store. */
export type TrustedUri = Uri & { readonly [proved]: true }

/** Returns `uri` as trusted if its origin is `provedOrigin`, else null. `provedOrigin` was proved by a signature or by TLS. */
export const trustedUri = (uri: Uri, provedOrigin: string): TrustedUri | null =>
  originOf(uri) === provedOrigin ? (uri as TrustedUri) : null

/** The hosts under which this server is known, as `hostOf` writes them. */
export type OwnHosts = ReadonlySet<string>

/**
 * True for an address on a host of this server. A local address is looked up, never fetched, and no remote document may
 * claim it.
 */
export const isOurs = (uri: Uri, ownHosts: OwnHosts): boolean => ownHosts.has(hostOf(uri) as string)

/** True if `actor` may change objects of `owner`: only the owner itself. An actor of the same server may not. */
export const isOwnerOf = (actor: Uri, owner: Uri): boolean => actor === owner

/**
 * True when this actor can be the author of an object (`node`). Pages of the actor were replaced by its id before
 * (`withAuthors`).
 *
 * | `attributedTo` | Result |
 * |---|---|
 * | absent | true |
 * | contains the actor, and no actor of another server | true |
 * | any other | false |
 */
export const isBy = (node: JsonObject, actor: Uri): boolean => {
  const authors = authorsIn(node)
  return authors.length === 0 || (authors.includes(actor) && authors.every((it) => sameOrigin(it, actor)))
}

export type Refusal =
  | 'actor-is-ours'
  | 'actor-is-not-signer'
  | 'actor-is-suspended'
  | 'id-on-another-origin'
  | 'needs-id'
  | 'object-is-ours'
  | 'object-without-id'
  | 'object-on-another-origin'
  | 'attributed-to-another'
  | 'not-yours'
  | 'not-about-us'
  | 'foreign-target'
  | 'community-ban'
  | 'never-asked'
  | 'not-the-one-asked'
  | 'wrapped-activity'

export type Refused = { readonly ok: false; readonly reason: Refusal }

export const refuse = (reason: Refusal): Refused => ({ ok: false, reason })

export type Sender = {
  /** The actor whose key signed the request. */
  readonly signer: Uri
  /** The actor whose proof inside the document was verified; null without one. */
  readonly proved: Uri | null
  /** True when the actor, or its whole server, is suspended here. */
  readonly suspended: boolean
  readonly ownHosts: OwnHosts
}

/** Types of activities that are accepted from a suspended actor: ends of relations, deletions and updates. */
const evenSuspended: ReadonlySet<Activity['type']> = new Set(['Delete', 'Undo', 'Reject', 'Update'])

/**
 * Checks that the actor of the activity sent it, and that the actor may send it.
 *
 * `by` is `signer` if the actor signed the request, and `proof` if only the signature inside the activity is the
 * actor's.
 */
export const authorizeSender = (activity: Activity, sender: Sender): { ok: true; by: 'signer' | 'proof' } | Refused => {
  const { actor, id } = activity
  if (isOurs(actor, sender.ownHosts)) return refuse('actor-is-ours')
  if (actor !== sender.signer && actor !== sender.proved) return refuse('actor-is-not-signer')
  if (id !== null && !sameOrigin(id, actor)) return refuse('id-on-another-origin')
  // Only a QuoteRequest or FeatureRequest needs an id, because the Accept or Reject names the request by its id.
  if (id === null && (activity.type === 'QuoteRequest' || activity.type === 'FeatureRequest')) return refuse('needs-id')
  if (sender.suspended && !evenSuspended.has(activity.type)) return refuse('actor-is-suspended')
  return { ok: true, by: actor === sender.signer ? 'signer' : 'proof' }
}
