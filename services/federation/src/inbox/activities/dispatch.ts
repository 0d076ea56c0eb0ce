/** Parses a stored activity, checks its sender again, and calls the handler of its type. */

import type { Activity, ActivityType } from '@murmuration/activitypub/vocabulary/activity'
import { parseDocument } from '@murmuration/activitypub/vocabulary/parse-document'
import { readActivity } from '@murmuration/activitypub/vocabulary/read-activity'
import { hostOf, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import type { Context } from '../../context.js'
import { authorizeSender } from '../../core/activity/authority.rules.js'
import { hostAccess, notReady } from '../../core/host/hosts.js'
import { accept } from './accept.js'
import { add } from './add.js'
import { announce } from './announce.js'
import { withAuthors } from './author.js'
import { block } from './block.js'
import { create } from './create.js'
import { remove } from './delete.js'
import { featureRequest } from './feature-request.js'
import { flag } from './flag.js'
import { follow } from './follow.js'
import { forwardAfter } from './forward.js'
import { like } from './like.js'
import { withResolvedAddresses } from './meaning.js'
import { move } from './move.js'
import { hasChanged, ignored, type Outcome, refused } from './outcome.js'
import { quoteRequest } from './quote-request.js'
import { accountOf, type Handler, type Received, senderAccount } from './received.js'
import { reject } from './reject.js'
import { applyRemove } from './remove.js'
import { undo } from './undo.js'
import { update } from './update.js'

const handlers: { [T in ActivityType]: Handler<T> } = {
  Accept: accept,
  Add: add,
  Announce: announce,
  Block: block,
  Create: create,
  Delete: remove,
  FeatureRequest: featureRequest,
  Flag: flag,
  Follow: follow,
  Like: like,
  Move: move,
  QuoteRequest: quoteRequest,
  Reject: reject,
  Remove: applyRemove,
  Undo: undo,
  Update: update,
}

export interface Stored {
  readonly id: string
  readonly actor: string
  readonly owner_id: string | null
  readonly body: string
  readonly received_at: Date
  readonly signed_at: Date | null
}

/** True for the Delete of the actor itself. The actor of such a Delete is not fetched. */
const isActorDeletion = (activity: Activity): boolean =>
  activity.type === 'Delete' && activity.object.id === activity.actor

const actorOf = (ctx: Context, activity: Activity) =>
  isActorDeletion(activity) ? accountOf(ctx, activity.actor) : senderAccount(ctx, activity.actor)

const authorizeAndHandle = async (ctx: Context, stored: Stored, again: boolean): Promise<Outcome> => {
  const parsed = parseDocument(Buffer.from(stored.body, 'utf8'))
  if (!parsed.ok) return refused(parsed.reason)
  const read = readActivity(parsed.document, ctx.self.ownHosts)
  if (!read.ok) return refused(read.reason)
  const activity = await withResolvedAddresses(ctx, read.activity)
  // Domain blocks are checked again, because the host may have been blocked since the activity was stored.
  const access = hostAccess(ctx, hostOf(activity.actor) as string)
  if (access === 'unknown') throw notReady()
  if (access === 'blocked') return refused('host-is-blocked')
  const actor = await actorOf(ctx, activity)
  if (actor === null) return isActorDeletion(activity) ? ignored('unknown-actor') : refused('unknown-actor')
  const { suspended } = actor
  const sender = authorizeSender(activity, {
    signer: stored.actor as Uri,
    proved: null,
    suspended,
    ownHosts: ctx.self.ownHosts,
  })
  if (!sender.ok) return refused(sender.reason)
  const meant = await withAuthors(ctx, activity, actor)
  const passed = { activity: meant, document: parsed.document, text: stored.body }
  const delivery = { id: stored.id, receivedAt: stored.received_at, signedAt: stored.signed_at }
  const received = { activity: meant, actor, ownerId: stored.owner_id, passed, delivery } as Received<never>
  const outcome = await (handlers[activity.type] as unknown as Handler<never>)(ctx, received)
  // Only an activity with an effect is forwarded. On a retry, the earlier attempt may have had the effect.
  const mayHaveChanged = hasChanged(outcome) || (again && outcome.outcome === 'done')
  if (!suspended && mayHaveChanged) await forwardAfter(ctx, passed, actor.id)
  return outcome
}

/** Processes a stored activity. `again`: true on a retry. Throws for failures that a retry may resolve. */
export const perform = async (ctx: Context, stored: Stored, again: boolean): Promise<Outcome> => {
  const outcome = await authorizeAndHandle(ctx, stored, again)
  if (outcome.outcome !== 'done' && outcome.reason !== null)
    ctx.refusals.count('worker', outcome.reason, hostOf(stored.actor))
  return outcome
}
