/** Fetches a public status that a relay announced, and stores it like a delivered one. */

import { hostOf, readUri } from '@murmuration/activitypub/vocabulary/uri'
import { fetchObject, readRelayedJob } from '@murmuration/contracts/federation'
import type { Context } from '../context.js'
import { isOurs } from '../core/activity/authority.rules.js'
import { hostAccess, notReady } from '../core/host/hosts.js'
import { work } from '../handlers.js'
import { storeNew, storeWanted } from './activities/note.js'
import { lookUpAccount, retryLater, statusOf } from './activities/received.js'

/** Counts and logs a relayed status that was not stored. The relay already got 202 for the activity. */
const dropped = (ctx: Pick<Context, 'refusals'>, uri: string, reason: string): void => {
  const host = hostOf(uri)
  ctx.refusals.count('worker', reason, host)
  ctx.refusals.log({ host, reason, type: 'Announce' })
}

export const readRelayed = work(readRelayedJob, async (ctx, { uri: address }, { tries }) => {
  const uri = readUri(address)
  if (uri === null || isOurs(uri, ctx.self.ownHosts)) return
  const access = hostAccess(ctx, hostOf(uri) as string)
  if (access === 'unknown') throw notReady()
  if (access === 'blocked') return dropped(ctx, uri, 'object-host-is-blocked')
  if ((await statusOf(ctx, uri)) !== null) return
  const { outcome, note } = await ctx.call(fetchObject, { url: uri, behind: true }, { timeoutMs: 30_000 })
  const mayWait = tries < readRelayedJob.retry.times
  if (outcome === 'later' && mayWait) throw retryLater('the relayed status cannot be fetched yet')
  if (note === null) return dropped(ctx, uri, `object-${outcome === 'ok' ? 'is-no-status' : outcome}`)
  if (note.visibility !== 'public') return dropped(ctx, uri, 'object-is-not-public')
  const { record: actor, later } = await lookUpAccount(ctx, note.authorUri)
  if (later && mayWait) throw retryLater('the author of a relayed status cannot be fetched yet')
  if (actor === null || actor.suspended) return dropped(ctx, uri, actor ? 'actor-is-suspended' : 'unknown-actor')
  const unstored = { note, actor, ownerId: null }
  // Both functions add the status to feeds, because the later Create of a stored status has no effect.
  const isFollowed = await ctx.accountCache.isFollowed(actor.id)
  const stored = isFollowed ? await storeNew(ctx, unstored) : await storeWanted(ctx, unstored)
  if (stored.outcome === 'refused') dropped(ctx, uri, stored.reason ?? 'unknown')
})
