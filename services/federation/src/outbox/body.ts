/** JSON text of an outgoing activity, the same for all recipients, with an inner signature if servers may forward it. */

import { addLinkedDataSignature } from '@murmuration/activitypub/signatures/linked-data'
import { isoTime } from '@murmuration/activitypub/vocabulary/time'
import type { OutgoingActivity } from '@murmuration/activitypub/vocabulary/write-activity'
import type { Context } from '../context.js'
import { needsInnerSignature } from './inner-signature.rules.js'

export interface ActivityBody {
  /** Account id of the actor. */
  actorId: string
  activity: OutgoingActivity | null
  /** Received text of a forwarded activity, sent unchanged; `activity` is null then. */
  text?: string
}

const TWO_DAYS_MS = 172_800_000

/**
 * JSON text of the activity; null if there is neither `activity` nor `text`. Without a key, the activity gets no inner
 * signature.
 */
export const bodyOf = async (
  ctx: Pick<Context, 'clock' | 'ownGraphs' | 'log' | 'self' | 'signers'>,
  { actorId, activity, text }: ActivityBody,
): Promise<string | null> => {
  if (activity === null) return text ?? null
  if (!needsInnerSignature(activity, ctx.self.secure)) return JSON.stringify(activity)
  const signer = (await ctx.signers.many([actorId])).get(actorId)
  if (signer === undefined) return JSON.stringify(activity)
  const now = ctx.clock.now()
  const signed = await addLinkedDataSignature(activity, {
    keyId: signer.keyId,
    privateKey: signer.privateKey,
    created: isoTime(new Date(now).toISOString()),
    expires: isoTime(new Date(now + TWO_DAYS_MS).toISOString()),
    graphs: ctx.ownGraphs,
  })
  if (signed === null) ctx.log.warn({ activity: activity.id }, 'an activity is sent without an inner signature')
  return JSON.stringify(signed ?? activity)
}
