/** Activities passed on without a third-party proof: only the address of their object counts, and only if it concerns a known status. */
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

/** The single object of the activity. */
const objectOf = (activity: Activity): Ref | null => {
  if (activity.type === 'Create') return activity.objects.length === 1 ? (activity.objects[0] ?? null) : null
  return activity.type === 'Update' || activity.type === 'Delete' ? activity.object : null
}

/** A new status matters if it replies to a local account, or to an account with local followers. */
const answersKnown = async (ctx: Context, object: Ref): Promise<boolean> => {
  const parent = object.node && answeredBy(object.node)
  const status = parent ? await ctx.accountCache.status(parent) : null
  if (status === null || status.deleted) return false
  return status.local ? isOpen(status) : ctx.accountCache.isFollowed(status.author)
}

const worthAsking = async (ctx: Context, activity: Activity): Promise<Uri | null> => {
  const object = objectOf(activity)
  const uri = object?.id ?? null
  if (object === null || uri === null || uri === activity.actor) return null
  if (!sameOrigin(uri, activity.actor) || isOurs(uri, ctx.self.ownHosts)) return null
  if (hostStanding(ctx, hostOf(uri) as string) !== 'open') return null
  const known = await ctx.accountCache.status(uri)
  const matters = activity.type === 'Create' ? known === null && (await answersKnown(ctx, object)) : known !== null
  return matters && !known?.deleted ? uri : null
}

/**
 * Queues a fetch of the object from its own server; false if it concerns no local account, or was requested too often.
 * `signer` passed the activity on.
 */
export const consultOrigin = async (ctx: Context, activity: Activity, signer: Uri): Promise<boolean> => {
  const uri = await worthAsking(ctx, activity)
  if (uri === null || !(await ctx.reader.budgets.mayConsult(uri, hostOf(signer) as string))) return false
  // The same activity passed on by several servers is one job.
  const id = createHash('sha256').update(`${activity.type} ${activity.id} ${uri}`).digest('base64url')
  await ctx.queues.push(consultOriginJob, { id, data: { uri } })
  return true
}
