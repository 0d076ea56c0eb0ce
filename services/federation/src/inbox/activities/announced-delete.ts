/** Handles a Delete that a group announces (FEP-1b12), and the Undo of a Delete. */

import { hostOf, sameOrigin, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import type { AccountRecord } from '@murmuration/contracts/accounts'
import { fetchObject } from '@murmuration/contracts/federation'
import { reportFetchResult, type StatusRecord } from '@murmuration/contracts/statuses'
import type { Context } from '../../context.js'
import { isOurs } from '../../core/activity/authority.rules.js'
import { hostAccess } from '../../core/host/hosts.js'
import { isOpen } from '../inbound-acceptance.rules.js'
import { done, ignored, type Outcome, refused } from './outcome.js'
import { type Received, retryLater, statusOf } from './received.js'
import { isDeletionAnnounced, recordAnnouncedDeletion } from './undo-state.js'

/**
 * Handles the Undo of a Delete, by which Lemmy restores a status. A deleted status stays deleted, because its content, replies and
 * favourites were deleted with it. A status that was not deleted here needs no Undo.
 */
export const undoneDelete = async (ctx: Context, uri: Uri | null): Promise<Outcome> => {
  const known = uri === null ? null : await statusOf(ctx, uri)
  return known === null || known.deleted ? refused('deletion-is-final') : done('unchanged')
}

/** True unless the account is known to be no group. Earlier releases of the accounts service do not return `group`. */
const mayBeGroup = (actor: AccountRecord): boolean => actor.group !== false

/**
 * Records the deletion that a group announces. The status is read again, because its announcement may be processed at
 * the same time.
 */
const recordUnknown = async (
  ctx: Context,
  { activity, actor }: Received<'Announce'>,
  uri: Uri,
): Promise<StatusRecord | null> => {
  if (!mayBeGroup(actor)) return null
  await recordAnnouncedDeletion(ctx, activity.actor, uri)
  return statusOf(ctx, uri)
}

/**
 * Handles the announcement of a status whose deletion the same group announced before: the status is requested again after ten minutes,
 * because its own server may delete it later. Handling an announcement twice is safe.
 */
export const applyAnnouncedDeletion = async (
  ctx: Context,
  { activity, actor }: Received<'Announce'>,
  status: StatusRecord,
): Promise<void> => {
  if (!mayBeGroup(actor)) return
  // The Delete may have named the status by its page, or as the announcement did.
  const addresses = [status.uri, status.url, activity.object.id].filter((it) => it !== null)
  if (await isDeletionAnnounced(ctx, activity.actor, [...new Set(addresses)]))
    await ctx.call(reportFetchResult, { uri: status.uri, outcome: 'ok', by: actor.id })
}

/**
 * Handles a Delete that a group announces: fetches the status from its own server. Throws if that server does not
 * respond.
 *
 * | Response | Effect |
 * |---|---|
 * | 410 or Tombstone, public or unlisted status | deleted |
 * | 404, public or unlisted status on the server of the group, which had announced it | deleted |
 * | 404, other public or unlisted status | deleted if it stays absent for a day |
 * | 404, 410 or Tombstone, non-public status | none |
 * | the status, public or unlisted, which the group had announced | none; the status is requested again after ten minutes |
 * | any other | none |
 *
 * If the actor is a group, the deletion of an unknown status is recorded, because the status may be announced later.
 * Boosts by other actors thus need no read of recorded deletions.
 */
export const announcedDelete = async (ctx: Context, received: Received<'Announce'>, uri: Uri): Promise<Outcome> => {
  const { activity, actor } = received
  if (isOurs(uri, ctx.self.ownHosts)) return refused('not-yours')
  if (!(await ctx.accountCache.isFollowed(actor.id))) return refused('nobody-asked')
  const known = (await statusOf(ctx, uri)) ?? (await recordUnknown(ctx, received, uri))
  if (known === null || known.deleted) return ignored('unknown-object')
  if (hostAccess(ctx, hostOf(uri) as string) !== 'open') return refused('object-host-is-blocked')
  const { outcome } = await ctx.call(fetchObject, { url: uri, fresh: true, behind: true })
  if (outcome === 'later') throw retryLater('the deleted status cannot be read yet')
  // The Delete may reach the server of the status later than it reached this server.
  if (outcome === 'ok') await ctx.call(reportFetchResult, { uri, outcome, by: actor.id })
  if (outcome !== 'gone' && outcome !== 'not-found') return refused('object-still-there')
  // A 404 does not prove the deletion of a non-public status, because servers hide non-public statuses with 404.
  if (!isOpen(known)) return ignored('unknown-object')
  // If the group `by` had announced the status, one 404 deletes it. Otherwise the status must stay absent for a day, because a
  // server may respond 404 to everything for a minute. Therefore only a group on the server of the status is passed as `by`.
  const by = sameOrigin(uri, activity.actor) ? { by: actor.id } : {}
  const { removed } = await ctx.call(reportFetchResult, { uri, outcome, ...by })
  return removed ? done() : ignored('not-gone-yet')
}
