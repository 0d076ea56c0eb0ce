/** Decides, per activity type, whether the actor has authority over the object, and whether an embedded copy may be used. */

import type { ActivityOf, InnerActivity } from '@murmuration/activitypub/vocabulary/activity'
import { actorKinds } from '@murmuration/activitypub/vocabulary/actor'
import { type JsonObject, type Ref, typesOf } from '@murmuration/activitypub/vocabulary/json'
import { countsAsMissing } from '@murmuration/activitypub/vocabulary/read-activity'
import { sameOrigin, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import { isBy, isOurs, isOwnerOf, type OwnHosts, type Refused, refuse } from '../core/activity/authority.rules.js'

/** Object of an accepted activity, with the source of its content: the embedded copy, its own server, or the local store. */
export type AcceptedObject =
  | { ok: true; uri: Uri; from: 'copy'; node: JsonObject }
  | { ok: true; uri: Uri; from: 'origin' | 'store' }

type Passed = { ok: true }

const passed: Passed = { ok: true }

const take = (ref: Ref & { id: Uri }): AcceptedObject =>
  ref.node === null
    ? { ok: true, uri: ref.id, from: 'origin' }
    : { ok: true, uri: ref.id, from: 'copy', node: ref.node }

const hasId = (ref: Ref): ref is Ref & { id: Uri } => ref.id !== null

/** Accepts an object that is on the actor's origin and attributed to the actor. */
const authorizeOwnObject = (ref: Ref, actor: Uri, ownHosts: OwnHosts): AcceptedObject | Refused => {
  if (!hasId(ref)) return refuse('object-without-id')
  if (isOurs(ref.id, ownHosts)) return refuse('object-is-ours')
  if (!sameOrigin(ref.id, actor)) return refuse('object-on-another-origin')
  return ref.node !== null && !isBy(ref.node, actor) ? refuse('attributed-to-another') : take(ref)
}

/** Authorizes one object of a Create, which may contain several votes. */
export const authorizeCreate = (
  activity: ActivityOf<'Create'>,
  object: Ref,
  ownHosts: OwnHosts,
): AcceptedObject | Refused => authorizeOwnObject(object, activity.actor, ownHosts)

const actorNames: ReadonlySet<string> = new Set(actorKinds)

/** Authorizes an Update. `owner`: stored owner of the object, null if unknown. `suspended`: the actor is suspended here. */
export const authorizeUpdate = (
  activity: ActivityOf<'Update'>,
  known: { owner: Uri | null; suspended: boolean; ownHosts: OwnHosts },
): AcceptedObject | Refused => {
  const { object, actor } = activity
  const isProfile = object.id === actor
  if (!isProfile && object.node !== null && typesOf(object.node).some((it) => actorNames.has(it)))
    return refuse('not-yours')
  if (known.owner !== null && !isOwnerOf(actor, known.owner)) return refuse('not-yours')
  // An edit of an unknown object would be stored as new, which a suspended actor must not cause.
  if (known.suspended && known.owner === null && !isProfile) return refuse('actor-is-suspended')
  return isProfile && hasId(object) ? take(object) : authorizeOwnObject(object, actor, known.ownHosts)
}

/**
 * Authorizes a Delete. `owner`: stored owner of the object, null if unknown. `isActor`: the object is a stored actor.
 */
export const authorizeDelete = (
  activity: ActivityOf<'Delete'>,
  known: { owner: Uri | null; isActor: boolean },
): { ok: true; deletes: 'actor' | 'object'; uri: Uri } | Refused => {
  const { object, actor } = activity
  if (!hasId(object)) return refuse('object-without-id')
  if (object.id === actor) return { ok: true, deletes: 'actor', uri: actor }
  if (known.isActor || (known.owner !== null && !isOwnerOf(actor, known.owner))) return refuse('not-yours')
  // An id on another origin is refused: if it were stored as deleted, it would block the object of its real owner.
  return sameOrigin(object.id, actor)
    ? { ok: true, deletes: 'object', uri: object.id }
    : refuse('object-on-another-origin')
}

/**
 * True if the id of an undone activity counts as missing. The activity is then found by its object, so its embedded
 * copy needs an object.
 */
export const isFoundByObject = (id: Uri, inner: InnerActivity | null, actor: Uri, ownHosts: OwnHosts): boolean => {
  const objects = inner?.addresses ?? []
  return objects.length > 0 && countsAsMissing(id, { actor, objects, ownHosts })
}

/** Authorizes an Undo: the undone activity must be of the same actor, by its embedded copy and by the origin of its id. */
export const authorizeUndo = ({ actor, object, inner }: ActivityOf<'Undo'>, ownHosts: OwnHosts): Passed | Refused => {
  if (inner !== null && inner.actor !== null && !isOwnerOf(actor, inner.actor)) return refuse('not-yours')
  const isElsewhere = object.id !== null && !sameOrigin(object.id, actor)
  return isElsewhere && !isFoundByObject(object.id, inner, actor, ownHosts)
    ? refuse('object-on-another-origin')
    : passed
}

/**
 * Authorizes an Accept or Reject. `request`: the local request that the Accept or Reject names, with its recipient;
 * null if no such request was found.
 */
export const authorizeResponse = (
  activity: ActivityOf<'Accept' | 'Reject'>,
  request: { to: Uri } | null,
): Passed | Refused => {
  if (request === null) return refuse('never-asked')
  return request.to === activity.actor ? passed : refuse('not-the-one-asked')
}

/**
 * Source of the status that an Announce names.
 *
 * | Object | Source |
 * |---|---|
 * | copy of a status of the actor itself | the copy |
 * | any other status | its own server, or the local store |
 * | Create or Update (passed on by a group, FEP-1b12) | own server of the status inside |
 * | any other activity | refused |
 */
export const authorizeAnnounce = (
  { actor, object, inner }: ActivityOf<'Announce'>,
  ownHosts: OwnHosts,
): AcceptedObject | Refused => {
  if (inner !== null) {
    const bringsStatus = inner.type === 'Create' || inner.type === 'Update'
    const id = inner.object?.id ?? null
    return bringsStatus && id !== null ? sourceOf(id, ownHosts) : refuse('wrapped-activity')
  }
  if (!hasId(object)) return refuse('object-without-id')
  const isOwnCopy =
    object.node !== null && sameOrigin(object.id, actor) && isBy(object.node, actor) && hasAuthor(object.node)
  return isOwnCopy ? take(object) : sourceOf(object.id, ownHosts)
}

const hasAuthor = (node: JsonObject): boolean => Object.hasOwn(node, 'attributedTo')

const sourceOf = (uri: Uri, ownHosts: OwnHosts): AcceptedObject => ({
  ok: true,
  uri,
  from: isOurs(uri, ownHosts) ? 'store' : 'origin',
})

/**
 * Authorizes an Add or Remove of a pin. `featured`: stored URI of the actor's `featured` collection. `owner`: stored owner of the
 * status, null if unknown.
 */
export const authorizePin = (
  { actor, object, target }: ActivityOf<'Add' | 'Remove'>,
  known: { featured: Uri | null; owner: Uri | null },
): { ok: true; pins: 'status' | 'hashtag' } | Refused => {
  if (target !== known.featured) return refuse('foreign-target')
  if (object.node !== null && typesOf(object.node).includes('Hashtag')) return { ok: true, pins: 'hashtag' }
  if (!hasId(object)) return refuse('object-without-id')
  if (known.owner !== null && !isOwnerOf(actor, known.owner)) return refuse('not-yours')
  return sameOrigin(object.id, actor) ? { ok: true, pins: 'status' } : refuse('not-yours')
}

/** Requires that the object is local, such as a Follow. */
export const requireLocalObject = (object: Uri, ownHosts: OwnHosts): Passed | Refused =>
  isOurs(object, ownHosts) ? passed : refuse('not-about-us')

/** Authorizes a Block of a local account. A Block with a target is a ban from a group, and is refused. */
export const authorizeBlock = (activity: ActivityOf<'Block'>, ownHosts: OwnHosts): Passed | Refused =>
  activity.target === null ? requireLocalObject(activity.object, ownHosts) : refuse('community-ban')

/** Authorizes a Flag: an object must be local. `concernsUs`: true if a reported status is a reply to a local account. */
export const authorizeFlag = (
  activity: ActivityOf<'Flag'>,
  known: { concernsUs: boolean; ownHosts: OwnHosts },
): Passed | Refused =>
  known.concernsUs || activity.objects.some((it) => isOurs(it, known.ownHosts)) ? passed : refuse('not-about-us')

/** Authorizes a FeatureRequest (FEP-7aa9) for a local account: the collection must be on the origin of the actor. */
export const authorizeFeatureRequest = (
  { actor, object, instrument }: ActivityOf<'FeatureRequest'>,
  ownHosts: OwnHosts,
): Passed | Refused => {
  if (!isOurs(object, ownHosts)) return refuse('not-about-us')
  if (isOurs(instrument, ownHosts)) return refuse('object-is-ours')
  return sameOrigin(instrument, actor) ? passed : refuse('object-on-another-origin')
}

/** Authorizes a QuoteRequest (FEP-044f) for a local status. The result is the quoting status (`instrument`). */
export const authorizeQuoteRequest = (
  activity: ActivityOf<'QuoteRequest'>,
  ownHosts: OwnHosts,
): AcceptedObject | Refused =>
  isOurs(activity.object, ownHosts)
    ? authorizeOwnObject(activity.instrument, activity.actor, ownHosts)
    : refuse('not-about-us')
