/** Handles forwarded activities without a third-party proof: their content is ignored, and their object is fetched from its server. */
import { createHash } from 'node:crypto'
import type { Activity } from '@murmuration/activitypub/vocabulary/activity'
import type { Ref } from '@murmuration/activitypub/vocabulary/json'
import { inReplyToOf } from '@murmuration/activitypub/vocabulary/read-note'
import { hostOf, sameOrigin, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import { consultOriginJob } from '@murmuration/contracts/federation'
import type { Context } from '../context.js'
import { isOurs } from '../core/activity/authority.rules.js'
import { hostAccess } from '../core/host/hosts.js'
import { isOpen } from './inbound-acceptance.rules.js'

/** The object of a Create, Update or Delete; null for other types, and for a Create with several objects. */
const objectOf = (activity: Activity): Ref | null => {
  if (activity.type === 'Create') return activity.objects.length === 1 ? (activity.objects[0] ?? null) : null
  return activity.type === 'Update' || activity.type === 'Delete' ? activity.object : null
}

/** True if the object replies to an open local status, or to a status of an account with local followers. */
const repliesToKnown = async (ctx: Context, object: Ref): Promise<boolean> => {
  const parent = object.node && inReplyToOf(object.node)
  const status = parent ? await ctx.accountCache.statusAt(parent) : null
  if (status === null || status.deleted) return false
  return status.local ? isOpen(status) : ctx.accountCache.isFollowed(status.author)
}

/**
 * URI of the object to fetch; null if the object concerns no stored status or account, or is not on the server of the
 * actor.
 */
const worthAsking = async (ctx: Context, activity: Activity): Promise<Uri | null> => {
  const object = objectOf(activity)
  const uri = object?.id ?? null
  if (object === null || uri === null || uri === activity.actor) return null
  if (!sameOrigin(uri, activity.actor) || isOurs(uri, ctx.self.ownHosts)) return null
  if (hostAccess(ctx, hostOf(uri) as string) !== 'open') return null
  const known = await ctx.accountCache.status(uri)
  const matters = activity.type === 'Create' ? known === null && (await repliesToKnown(ctx, object)) : known !== null
  return matters && !known?.deleted ? uri : null
}

/**
 * Queues a fetch of the object from its own server. Returns false if the object concerns nothing stored here, or if a rate
 * limit is reached. `signer`: actor that forwarded the activity.
 */
export const consultOrigin = async (ctx: Context, activity: Activity, signer: Uri): Promise<boolean> => {
  const uri = await worthAsking(ctx, activity)
  if (uri === null || !(await ctx.fetcher.limits.mayFetchForwarded(uri, hostOf(signer) as string))) return false
  // The job id does not depend on the forwarding server, so the bus drops duplicates of the activity.
  const id = createHash('sha256').update(`${activity.type} ${activity.id} ${uri}`).digest('base64url')
  await ctx.queues.push(consultOriginJob, { id, data: { uri } })
  return true
}
