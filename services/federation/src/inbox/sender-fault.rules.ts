/**
 * Faults of an activity that its sender can correct. Such faults are found without a look-up, and refused by the inbox
 * endpoint.
 */
import type { Activity, ActivityOf, ActivityRefusal } from '@murmuration/activitypub/vocabulary/activity'
import { type JsonObject, prop } from '@murmuration/activitypub/vocabulary/json'
import { sameOrigin } from '@murmuration/activitypub/vocabulary/uri'
import type { OwnHosts, Refusal } from '../core/activity/authority.rules.js'
import {
  authorizeCreate,
  authorizeFeatureRequest,
  authorizeQuoteRequest,
  authorizeUndo,
  authorizeUpdate,
} from './object-authority.rules.js'

/** Refusals that the sender cannot correct: they depend on stored data, concern no local account, or are of unknown forms. */
const noFaults: ReadonlySet<Refusal> = new Set(['not-about-us', 'actor-is-suspended', 'object-without-id'])

/**
 * The Undo without the actor of the undone activity, if that is on the server of the sender: it may be a profile page,
 * which the worker resolves.
 */
const withoutPage = (activity: ActivityOf<'Undo'>): ActivityOf<'Undo'> => {
  const { inner } = activity
  return inner?.actor && sameOrigin(inner.actor, activity.actor)
    ? { ...activity, inner: { ...inner, actor: null } }
    : activity
}

const authorizations = (
  activity: Activity,
  ownHosts: OwnHosts,
): readonly ({ ok: true } | { ok: false; reason: Refusal })[] => {
  switch (activity.type) {
    case 'Create':
      return activity.objects.map((object) => authorizeCreate(activity, object, ownHosts))
    case 'Update':
      return [authorizeUpdate(activity, { owner: null, suspended: false, ownHosts })]
    case 'Undo':
      return [authorizeUndo(withoutPage(activity), ownHosts)]
    case 'QuoteRequest':
      return [authorizeQuoteRequest(activity, ownHosts)]
    case 'FeatureRequest':
      return [authorizeFeatureRequest(activity, ownHosts)]
    case 'Move':
      // The object may be the profile page of the actor, so only the origin is compared.
      return [sameOrigin(activity.object, activity.actor) ? { ok: true } : { ok: false, reason: 'not-yours' }]
    default:
      return []
  }
}

/**
 * The reason why an activity cannot have an effect, whatever is stored here; null if it may have one.
 * The check covers only activities whose actor signed the request, because a forwarding server cannot correct the
 * activity.
 */
export const senderFault = (activity: Activity, ownHosts: OwnHosts): Refusal | null => {
  const authorized = authorizations(activity, ownHosts)
  const reasons = authorized.flatMap((one) => (one.ok || noFaults.has(one.reason) ? [] : [one.reason]))
  return reasons.length === authorized.length ? (reasons[0] ?? null) : null
}

/**
 * True if the sender can correct the fault for which a document is not an activity.
 *
 * Unknown types and forms are no fault, because their senders send them to every server.
 */
export const isSenderFault = (reason: ActivityRefusal, document: JsonObject): boolean => {
  if (reason === 'bad-object') return (prop(document, 'object') ?? null) === null
  return !['unsupported-type', 'bad-target', 'bad-instrument'].includes(reason)
}
