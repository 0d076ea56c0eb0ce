/**
 * Handles activities of relays: the Accept or Reject of this server's Follow, a Follow of this server, and statuses of
 * other servers.
 */

import { createHash } from 'node:crypto'
import type { Activity } from '@murmuration/activitypub/vocabulary/activity'
import { isPublic, sameOrigin, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import { writeAccept } from '@murmuration/activitypub/vocabulary/write-activity'
import { readRelayedJob } from '@murmuration/contracts/federation'
import type { Context } from '../../context.js'
import { followPrefix, INSTANCE_ACCOUNT } from '../../core/address/self.js'
import { ownsInbox } from '../../core/relay/rules.js'
import { recordResponse, relayByFollow, relaysByActor } from '../../core/relay/store.js'
import { sendActivity } from '../../outbox/index.js'
import { done, ignored, type Outcome, refused } from './outcome.js'
import type { Received } from './received.js'

/** Applies a relay's Accept or Reject of the Follow that this server sent to it. Returns null if the activity is about another object. */
export const applyRelayResponse = async (
  ctx: Context,
  { activity, actor }: Pick<Received<'Accept' | 'Reject'>, 'activity' | 'actor'>,
): Promise<Outcome | null> => {
  const followUri = activity.inner?.id ?? activity.object.id
  if (!followUri?.startsWith(followPrefix(ctx))) return null
  const relay = await relayByFollow(ctx.db, followUri)
  if (relay === null) return ignored('never-asked')
  // The first Accept or Reject must be by the owner of the relay's inbox, and each later Accept or Reject by the same
  // actor.
  const isTheRelay = relay.actor_uri === null ? ownsInbox(actor, relay.inbox_url) : relay.actor_uri === activity.actor
  if (!isTheRelay) return refused('never-asked')
  const state = activity.type === 'Accept' ? 'accepted' : 'rejected'
  const noted = await recordResponse(ctx.db, { followUri, state, actorUri: activity.actor })
  return done(noted > 0 ? null : 'unchanged')
}

/** True for the actor of a relay that accepted this server's Follow. */
export const isRelay = async (ctx: Pick<Context, 'db'>, actor: string): Promise<boolean> =>
  (await relaysByActor(ctx.db, actor)).some((relay) => relay.state === 'accepted')

/**
 * Accepts the Follow of the instance actor by a relay of the style `actor`. Returns null for a Follow of another
 * object, and for an actor that is no active relay of that style.
 */
export const relayFollows = async (
  ctx: Context,
  { activity, actor }: Pick<Received<'Follow'>, 'activity' | 'actor'>,
): Promise<Outcome | null> => {
  if (activity.object !== ctx.self.instanceActor) return null
  const relays = await relaysByActor(ctx.db, activity.actor)
  if (!relays.some(({ style, state }) => style === 'actor' && state !== 'idle')) return null
  const follow = { id: activity.id, actor: activity.actor, object: activity.object }
  const name = createHash('sha256')
    .update(activity.id ?? activity.actor)
    .digest('base64url')
  await sendActivity(ctx, {
    actorId: INSTANCE_ACCOUNT,
    seq: ctx.ids.next(),
    activity: writeAccept({ id: `${activity.object}#accepts/follows/${name}`, actor: activity.object, follow }),
    their: actor,
  })
  return done()
}

/** Queues the fetch of a status that a relay announced. The job id is the same for all relays, so the bus drops duplicates. */
export const readRelayed = async (ctx: Pick<Context, 'queues'>, uri: Uri): Promise<Outcome> => {
  const id = createHash('sha256').update(uri).digest('base64url')
  await ctx.queues.push(readRelayedJob, { id, data: { uri } })
  return done('relayed')
}

/**
 * Queues the fetch of a public status whose Create a relay forwards. The copy in the Create is ignored, so it needs no
 * proof.
 *
 * Returns false for other activities, and if `signer` is not an accepted relay.
 */
export const takeRelayed = async (ctx: Context, activity: Activity, signer: Uri): Promise<boolean> => {
  if (activity.type !== 'Create' || !activity.addressing.to.some(isPublic)) return false
  const uri = activity.objects[0]?.id ?? null
  if (uri === null || !sameOrigin(uri, activity.actor) || !(await isRelay(ctx, signer))) return false
  await readRelayed(ctx, uri)
  return true
}
