/** Faults of an activity that its sender can correct, found without any look-up: they are refused at once. */
import type { Activity, ActivityOf, ActivityRefusal } from '@murmuration/activitypub/vocabulary/activity'
import { type Loose, prop } from '@murmuration/activitypub/vocabulary/loose'
import { sameOrigin } from '@murmuration/activitypub/vocabulary/uri'
import type { OwnHosts, Refusal } from '../core/authority.rules.js'
import {
  judgeCreate,
  judgeFeatureRequest,
  judgeQuoteRequest,
  judgeUndo,
  judgeUpdate,
} from './object-authority.rules.js'

/** Refusals that depend on what is stored here, that concern nobody here, or that are of forms unknown here. */
const noFaults: ReadonlySet<Refusal> = new Set(['not-about-us', 'actor-is-suspended', 'object-without-id'])

/** The undone activity may name its actor by a page, which is on the same server and is looked up later. */
const withoutPage = (activity: ActivityOf<'Undo'>): ActivityOf<'Undo'> => {
  const { inner } = activity
  return inner?.actor && sameOrigin(inner.actor, activity.actor)
    ? { ...activity, inner: { ...inner, actor: null } }
    : activity
}

const judgements = (
  activity: Activity,
  ownHosts: OwnHosts,
): readonly ({ ok: true } | { ok: false; reason: Refusal })[] => {
  switch (activity.type) {
    case 'Create':
      return activity.objects.map((object) => judgeCreate(activity, object, ownHosts))
    case 'Update':
      return [judgeUpdate(activity, { owner: null, suspended: false, ownHosts })]
    case 'Undo':
      return [judgeUndo(withoutPage(activity))]
    case 'QuoteRequest':
      return [judgeQuoteRequest(activity, ownHosts)]
    case 'FeatureRequest':
      return [judgeFeatureRequest(activity, ownHosts)]
    case 'Move':
      // A page of the actor is on its own server.
      return [sameOrigin(activity.object, activity.actor) ? { ok: true } : { ok: false, reason: 'not-yours' }]
    default:
      return []
  }
}

/**
 * The reason why the activity cannot have an effect, whatever is stored here; null if it may. The actor signed the request
 * itself: a server that passes an activity on cannot correct it.
 */
export const senderFault = (activity: Activity, ownHosts: OwnHosts): Refusal | null => {
  const judged = judgements(activity, ownHosts)
  const reasons = judged.flatMap((one) => (one.ok || noFaults.has(one.reason) ? [] : [one.reason]))
  return reasons.length === judged.length ? (reasons[0] ?? null) : null
}

/**
 * Returns true when the sender can correct what made a document no activity. Types and forms that are unknown here are sent
 * to every server, so there is nothing to correct.
 */
export const isSenderFault = (reason: ActivityRefusal, document: Loose): boolean => {
  if (reason === 'bad-object') return (prop(document, 'object') ?? null) === null
  return !['unsupported-type', 'bad-target', 'bad-instrument'].includes(reason)
}
