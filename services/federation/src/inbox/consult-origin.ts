/** What somebody passed on and nobody vouches for: only its address counts, and only when it concerns what is known here. */
import { createHash } from 'node:crypto'
import type { Activity } from '@murmuration/activitypub/vocabulary/activity'
import type { Ref } from '@murmuration/activitypub/vocabulary/loose'
import { answeredBy } from '@murmuration/activitypub/vocabulary/read-note'
import { hostOf, sameOrigin, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import { consultOriginJob } from '@murmuration/contracts/federation'
import type { Context } from '../context.js'
import { isOurs } from '../core/authority.rules.js'
import { hostStanding } from '../core/hosts.js'
import { isOpen } from './inbound-acceptance.rules.js'

/** The one thing that the activity says something new about. */
const objectOf = (activity: Activity): Ref | null => {
  if (activity.type === 'Create') return activity.objects.length === 1 ? (activity.objects[0] ?? null) : null
  return activity.type === 'Update' || activity.type === 'Delete' ? activity.object : null
}

/** A new status matters when it answers one by somebody here, or by somebody who is followed from here. */
const answersKnown = async (ctx: Context, object: Ref): Promise<boolean> => {
  const parent = object.node && answeredBy(object.node)
  const status = parent ? await ctx.acquaintances.status(parent) : null
  if (status === null || status.deleted) return false
  return status.local ? isOpen(status) : ctx.acquaintances.isFollowed(status.author)
}

const worthAsking = async (ctx: Context, activity: Activity): Promise<Uri | null> => {
  const object = objectOf(activity)
  const uri = object?.id ?? null
  if (object === null || uri === null || uri === activity.actor) return null
  if (!sameOrigin(uri, activity.actor) || isOurs(uri, ctx.self.ownHosts)) return null
  if (hostStanding(ctx, hostOf(uri) as string) !== 'open') return null
  const known = await ctx.acquaintances.status(uri)
  const matters = activity.type === 'Create' ? known === null && (await answersKnown(ctx, object)) : known !== null
  return matters && !known?.deleted ? uri : null
}

/**
 * Queues the reading of what it is about from where that lives; false when it is none of our business, or was asked for too
 * often. `signer` is who passed it on.
 */
export const consultOrigin = async (ctx: Context, activity: Activity, signer: Uri): Promise<boolean> => {
  const uri = await worthAsking(ctx, activity)
  if (uri === null || !(await ctx.reader.budgets.mayConsult(uri, hostOf(signer) as string))) return false
  // The same news by many ways is one question.
  const id = createHash('sha256').update(`${activity.type} ${activity.id} ${uri}`).digest('base64url')
  await ctx.queues.push(consultOriginJob, { id, data: { uri } })
  return true
}
