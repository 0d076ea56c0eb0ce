/** Pins and unpins: a remote account adds or removes its own status in its `featured` collection. */

import { readUri, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import { putRemotePin, resolveStatus, UNKNOWN_STATUS } from '@murmuration/contracts/statuses'
import type { Context } from '../../context.js'
import { authorizePin } from '../object-authority.rules.js'
import { done, ignored, type Outcome, refused } from './outcome.js'
import { type Received, retryLater, statusOf } from './received.js'

/**
 * Fetches and stores a status. Returns the id of the status, or null if the status does not exist. Throws if the server
 * of the status does not respond.
 */
const broughtIn = async (ctx: Context, uri: Uri): Promise<string | null> => {
  const { id, later } = await ctx.call(resolveStatus, { uri, viewer: null, behind: true, exact: true })
  if (later) throw retryLater('the pinned status cannot be fetched yet')
  return id
}

/**
 * Stores that an unknown status was unpinned, because a job may be fetching it from an older list of pins. Returns the id
 * of the status if it was stored meanwhile, else null.
 */
const storedMeanwhile = async (ctx: Context, account: string, uri: Uri): Promise<string | null> => {
  await ctx.call(putRemotePin, { account, status: UNKNOWN_STATUS, pinned: false })
  const stored = await statusOf(ctx, uri)
  return stored?.author === account && !stored.deleted ? stored.id : null
}

export const pin = async (
  ctx: Context,
  { activity, actor }: Received<'Add'> | Received<'Remove'>,
  pinned: boolean,
): Promise<Outcome> => {
  const { id: uri } = activity.object
  const known = uri === null ? null : await statusOf(ctx, uri)
  if (known !== null && known.author !== actor.id) return refused('not-yours')
  const authorized = authorizePin(activity, {
    featured: readUri(actor.featured_url),
    owner: known === null ? null : activity.actor,
  })
  if (!authorized.ok) return refused(authorized.reason)
  if (uri === null || known?.deleted) return ignored('unknown-object')
  // Pins of accounts without local followers are not fetched here, but when their profile is opened.
  if (pinned && known === null && !(await ctx.accountCache.isFollowed(actor.id))) return refused('nobody-asked')
  // An unknown status is fetched only to pin it.
  const id = known?.id ?? (pinned ? await broughtIn(ctx, uri) : await storedMeanwhile(ctx, actor.id, uri))
  if (id === null) return ignored('unknown-object')
  const { outcome } = await ctx.call(putRemotePin, { account: actor.id, status: id, pinned })
  return outcome === 'refused' ? refused('not-yours') : done(outcome === 'done' ? null : outcome)
}
