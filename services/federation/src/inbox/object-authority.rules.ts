/** Decides, per type of activity, whether its actor may do this to its object, and whether an embedded copy counts. */

import type { ActivityOf, InnerActivity } from '@murmuration/activitypub/vocabulary/activity'
import { actorKinds } from '@murmuration/activitypub/vocabulary/actor'
import { type Loose, type Ref, typesOf } from '@murmuration/activitypub/vocabulary/loose'
import { sameOrigin, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import { isBy, isOurs, maySpeakFor, type OwnHosts, type Refused, refuse } from '../core/authority.rules.js'

/** Source of the content: the copy, its origin, or the own store. */
export type Taken = { ok: true; uri: Uri; from: 'copy'; node: Loose } | { ok: true; uri: Uri; from: 'origin' | 'store' }

type Passed = { ok: true }

const passed: Passed = { ok: true }

const take = (ref: Ref & { id: Uri }): Taken =>
  ref.node === null
    ? { ok: true, uri: ref.id, from: 'origin' }
    : { ok: true, uri: ref.id, from: 'copy', node: ref.node }

const hasId = (ref: Ref): ref is Ref & { id: Uri } => ref.id !== null

/** An object that an actor publishes: on the actor's own origin and by the actor. */
const judgeOwnObject = (ref: Ref, actor: Uri, ownHosts: OwnHosts): Taken | Refused => {
  if (!hasId(ref)) return refuse('object-without-id')
  if (isOurs(ref.id, ownHosts)) return refuse('object-is-ours')
  if (!sameOrigin(ref.id, actor)) return refuse('object-on-another-origin')
  return ref.node !== null && !isBy(ref.node, actor) ? refuse('attributed-to-another') : take(ref)
}

/** One object of a Create. An activity may contain several votes. */
export const judgeCreate = (activity: ActivityOf<'Create'>, object: Ref, ownHosts: OwnHosts): Taken | Refused =>
  judgeOwnObject(object, activity.actor, ownHosts)

const actorNames: ReadonlySet<string> = new Set(actorKinds)

/** `owner` is the stored owner of the object, null when it is unknown here. */
export const judgeUpdate = (
  activity: ActivityOf<'Update'>,
  known: { owner: Uri | null; suspended: boolean; ownHosts: OwnHosts },
): Taken | Refused => {
  const { object, actor } = activity
  const isProfile = object.id === actor
  if (!isProfile && object.node !== null && typesOf(object.node).some((it) => actorNames.has(it)))
    return refuse('not-yours')
  if (known.owner !== null && !maySpeakFor(actor, known.owner)) return refuse('not-yours')
  // An edit of an unknown object would be stored as new, which a suspended actor must not cause.
  if (known.suspended && known.owner === null && !isProfile) return refuse('actor-is-suspended')
  return isProfile && hasId(object) ? take(object) : judgeOwnObject(object, actor, known.ownHosts)
}

/** `deletes` is the actor itself, or its object. An unknown object is remembered as deleted. */
export const judgeDelete = (
  activity: ActivityOf<'Delete'>,
  known: { owner: Uri | null; isActor: boolean },
): { ok: true; deletes: 'actor' | 'object'; uri: Uri } | Refused => {
  const { object, actor } = activity
  if (!hasId(object)) return refuse('object-without-id')
  if (object.id === actor) return { ok: true, deletes: 'actor', uri: actor }
  if (known.isActor || (known.owner !== null && !maySpeakFor(actor, known.owner))) return refuse('not-yours')
  // A foreign id is not remembered: that would block the genuine object.
  return sameOrigin(object.id, actor)
    ? { ok: true, deletes: 'object', uri: object.id }
    : refuse('object-on-another-origin')
}

/** True for the id of an activity that was derived from the id of its object on another server. */
export const isMadeFromObject = (id: Uri, inner: InnerActivity | null, actor: Uri): boolean => {
  const object = inner?.object?.id ?? null
  return !sameOrigin(id, actor) && object !== null && sameOrigin(id, object)
}

/** The undone activity is one of the same actor, found by id or by its copy. */
export const judgeUndo = ({ actor, object, inner }: ActivityOf<'Undo'>): Passed | Refused => {
  if (inner !== null && inner.actor !== null && !maySpeakFor(actor, inner.actor)) return refuse('not-yours')
  const isElsewhere = object.id !== null && !sameOrigin(object.id, actor)
  return isElsewhere && !isMadeFromObject(object.id, inner, actor) ? refuse('object-on-another-origin') : passed
}

/** `request` is our request, found by its id or by its two accounts. */
export const judgeAnswer = (
  activity: ActivityOf<'Accept' | 'Reject'>,
  request: { to: Uri } | null,
): Passed | Refused => {
  if (request === null) return refuse('never-asked')
  return request.to === activity.actor ? passed : refuse('not-the-one-asked')
}

/**
 * Source of a reblogged status. A copy counts only if the actor reblogs its own status. A status that a group passes on is
 * fetched from its origin. Other activities inside have no effect.
 */
export const judgeAnnounce = (
  { actor, object, inner }: ActivityOf<'Announce'>,
  ownHosts: OwnHosts,
): Taken | Refused => {
  if (inner !== null) {
    const bringsStatus = inner.type === 'Create' || inner.type === 'Update'
    const id = inner.object?.id ?? null
    return bringsStatus && id !== null ? judgeForeign(id, ownHosts) : refuse('wrapped-activity')
  }
  if (!hasId(object)) return refuse('object-without-id')
  const isOwnCopy =
    object.node !== null && sameOrigin(object.id, actor) && isBy(object.node, actor) && hasAuthor(object.node)
  return isOwnCopy ? take(object) : judgeForeign(object.id, ownHosts)
}

const hasAuthor = (node: Loose): boolean => Object.hasOwn(node, 'attributedTo')

const judgeForeign = (uri: Uri, ownHosts: OwnHosts): Taken => ({
  ok: true,
  uri,
  from: isOurs(uri, ownHosts) ? 'store' : 'origin',
})

/** `featured` is the stored collection of pins; `owner` the stored owner of the status, null when it is unknown. */
export const judgePin = (
  { actor, object, target }: ActivityOf<'Add' | 'Remove'>,
  known: { featured: Uri | null; owner: Uri | null },
): { ok: true; pins: 'status' | 'hashtag' } | Refused => {
  if (target !== known.featured) return refuse('foreign-target')
  if (object.node !== null && typesOf(object.node).includes('Hashtag')) return { ok: true, pins: 'hashtag' }
  if (!hasId(object)) return refuse('object-without-id')
  if (known.owner !== null && !maySpeakFor(actor, known.owner)) return refuse('not-yours')
  return sameOrigin(object.id, actor) ? { ok: true, pins: 'status' } : refuse('not-yours')
}

/** Activities that are valid only for local objects. */
export const judgeOurs = (object: Uri, ownHosts: OwnHosts): Passed | Refused =>
  isOurs(object, ownHosts) ? passed : refuse('not-about-us')

/** A block between two accounts. A ban from a group has no effect. */
export const judgeBlock = (activity: ActivityOf<'Block'>, ownHosts: OwnHosts): Passed | Refused =>
  activity.target === null ? judgeOurs(activity.object, ownHosts) : refuse('community-ban')

/** `concernsUs` is true if one of the reported statuses is a reply to a local account. */
export const judgeFlag = (
  activity: ActivityOf<'Flag'>,
  known: { concernsUs: boolean; ownHosts: OwnHosts },
): Passed | Refused =>
  known.concernsUs || activity.objects.some((it) => isOurs(it, known.ownHosts)) ? passed : refuse('not-about-us')

/** The collection of a FeatureRequest belongs to its actor. */
export const judgeFeatureRequest = (
  { actor, object, instrument }: ActivityOf<'FeatureRequest'>,
  ownHosts: OwnHosts,
): Passed | Refused => {
  if (!isOurs(object, ownHosts)) return refuse('not-about-us')
  if (isOurs(instrument, ownHosts)) return refuse('object-is-ours')
  return sameOrigin(instrument, actor) ? passed : refuse('object-on-another-origin')
}

/** The status that quotes a local one. */
export const judgeQuoteRequest = (activity: ActivityOf<'QuoteRequest'>, ownHosts: OwnHosts): Taken | Refused =>
  isOurs(activity.object, ownHosts)
    ? judgeOwnObject(activity.instrument, activity.actor, ownHosts)
    : refuse('not-about-us')
