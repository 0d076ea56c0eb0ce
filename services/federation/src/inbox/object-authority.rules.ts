/** Decides, per type of activity, whether its actor may do this to its object, and whether a copy that came along counts. */

import type { ActivityOf, InnerActivity } from '@murmuration/activitypub/vocabulary/activity'
import { actorKinds } from '@murmuration/activitypub/vocabulary/actor'
import { type Loose, type Ref, typesOf } from '@murmuration/activitypub/vocabulary/loose'
import { sameOrigin, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import { isBy, isOurs, maySpeakFor, type OwnHosts, type Refused, refuse } from '../core/authority.rules.js'

/** Where the content is to be taken from: the copy, its origin, or our own store. */
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

/** One object of a Create; an activity may bring several votes. */
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
  // An edit of something unknown would be stored as new, which a suspended actor must not bring about.
  if (known.suspended && known.owner === null && !isProfile) return refuse('actor-is-suspended')
  return isProfile && hasId(object) ? take(object) : judgeOwnObject(object, actor, known.ownHosts)
}

/** `deletes` is the actor itself, or something it owns; something unknown is remembered as deleted. */
export const judgeDelete = (
  activity: ActivityOf<'Delete'>,
  known: { owner: Uri | null; isActor: boolean },
): { ok: true; deletes: 'actor' | 'object'; uri: Uri } | Refused => {
  const { object, actor } = activity
  if (!hasId(object)) return refuse('object-without-id')
  if (object.id === actor) return { ok: true, deletes: 'actor', uri: actor }
  if (known.isActor || (known.owner !== null && !maySpeakFor(actor, known.owner))) return refuse('not-yours')
  // No mark is left for a foreign id: it would keep the genuine object out.
  return sameOrigin(object.id, actor)
    ? { ok: true, deletes: 'object', uri: object.id }
    : refuse('object-on-another-origin')
}

/** True for the id of an activity that its server made from that of the object on another server. */
export const isMadeFromObject = (id: Uri, inner: InnerActivity | null, actor: Uri): boolean => {
  const object = inner?.object?.id ?? null
  return !sameOrigin(id, actor) && object !== null && sameOrigin(id, object)
}

/** What is undone is looked up among the actor's own deeds, by id or by what the copy says it was. */
export const judgeUndo = ({ actor, object, inner }: ActivityOf<'Undo'>): Passed | Refused => {
  if (inner !== null && inner.actor !== null && !maySpeakFor(actor, inner.actor)) return refuse('not-yours')
  const isElsewhere = object.id !== null && !sameOrigin(object.id, actor)
  return isElsewhere && !isMadeFromObject(object.id, inner, actor) ? refuse('object-on-another-origin') : passed
}

/** `request` is ours that the answer was found to belong to: by its id, or by who asked whom. */
export const judgeAnswer = (
  activity: ActivityOf<'Accept' | 'Reject'>,
  request: { to: Uri } | null,
): Passed | Refused => {
  if (request === null) return refuse('never-asked')
  return request.to === activity.actor ? passed : refuse('not-the-one-asked')
}

/**
 * What a reblog brings. Only the id of what others wrote is used; the copy counts when actors reblog what is their own. What a
 * group passes on is fetched from its origin; deeds that are not about a status are none of ours.
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

/** What only makes sense when it is done to something of ours. */
export const judgeOurs = (object: Uri, ownHosts: OwnHosts): Passed | Refused =>
  isOurs(object, ownHosts) ? passed : refuse('not-about-us')

/** A block between two people; a ban from a group says nothing about them. */
export const judgeBlock = (activity: ActivityOf<'Block'>, ownHosts: OwnHosts): Passed | Refused =>
  activity.target === null ? judgeOurs(activity.object, ownHosts) : refuse('community-ban')

/** `concernsUs` is true when one of the reported statuses answers somebody here. */
export const judgeFlag = (
  activity: ActivityOf<'Flag'>,
  known: { concernsUs: boolean; ownHosts: OwnHosts },
): Passed | Refused =>
  known.concernsUs || activity.objects.some((it) => isOurs(it, known.ownHosts)) ? passed : refuse('not-about-us')

/** The collection that somebody wants to put one of ours into is their own. */
export const judgeFeatureRequest = (
  { actor, object, instrument }: ActivityOf<'FeatureRequest'>,
  ownHosts: OwnHosts,
): Passed | Refused => {
  if (!isOurs(object, ownHosts)) return refuse('not-about-us')
  if (isOurs(instrument, ownHosts)) return refuse('object-is-ours')
  return sameOrigin(instrument, actor) ? passed : refuse('object-on-another-origin')
}

/** The status that wants to quote one of ours. */
export const judgeQuoteRequest = (activity: ActivityOf<'QuoteRequest'>, ownHosts: OwnHosts): Taken | Refused =>
  isOurs(activity.object, ownHosts)
    ? judgeOwnObject(activity.instrument, activity.actor, ownHosts)
    : refuse('not-about-us')
