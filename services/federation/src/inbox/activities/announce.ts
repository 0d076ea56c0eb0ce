/** Announce: a reblog of a status, or an Update or Delete that a group passes on (FEP-1b12). An Announce by a relay only stores the status. */

import { createHash } from 'node:crypto'
import { audienceOf } from '@murmuration/activitypub/vocabulary/audience'
import { innerOf } from '@murmuration/activitypub/vocabulary/read-activity'
import { hostOf, sameOrigin, type Uri, withoutFragment } from '@murmuration/activitypub/vocabulary/uri'
import { accountRecords } from '@murmuration/contracts/accounts'
import { fetchObject } from '@murmuration/contracts/federation'
import {
  applyRemoteInteraction,
  resolveStatus,
  type StatusRecord,
  statusRecords,
} from '@murmuration/contracts/statuses'
import type { Context } from '../../context.js'
import { isOurs } from '../../core/activity/authority.rules.js'
import { hostAccess } from '../../core/host/hosts.js'
import { type AcceptedObject, authorizeAnnounce } from '../object-authority.rules.js'
import { reblogFault } from '../reblog.rules.js'
import { announcedDelete, applyAnnouncedDeletion, undoneDelete } from './announced-delete.js'
import { announcedEdit } from './announced-edit.js'
import { readEmbeddedCopy } from './create.js'
import { recordInteracted, recordTooLate } from './interacted.js'
import { storeWanted } from './note.js'
import { done, ignored, type Outcome, refused } from './outcome.js'
import { followerHere, type Handler, type Received, retryLater, statusAt, statusOf } from './received.js'
import { isRelay, readRelayed } from './relay.js'
import { undoneBefore, unlessNewer } from './undo-state.js'

type Reblog = Received<'Announce'>

/** Handles the Announce of an address that is no status: the Update or Delete at this address, which a group passes on by its id alone. */
const passedOnById = async (ctx: Context, received: Reblog, at: { url: Uri; as: string | null }): Promise<Outcome> => {
  const input = { url: at.url, behind: true, ...(at.as === null ? {} : { as: at.as }) }
  const { outcome, activity } = await ctx.call(fetchObject, input)
  if (outcome === 'later') throw retryLater('the announced activity cannot be fetched yet')
  const known = activity ? await statusAt(ctx, activity.object) : null
  if (activity?.type === 'Delete') return announcedDelete(ctx, received, (known?.uri ?? activity.object) as Uri)
  if (!activity || known === null) return ignored('unknown-object')
  const [author] = (await ctx.call(accountRecords, { ids: [known.author] })).records
  return author === undefined || author.suspended || known.deleted
    ? ignored('unknown-object')
    : announcedEdit(ctx, received, known, author)
}

/** The stored reblogged status. An unknown one is fetched from its server first, or read from the actor's own copy. */
const reblogged = async (ctx: Context, received: Reblog, taken: AcceptedObject): Promise<StatusRecord | Outcome> => {
  const known = await statusOf(ctx, taken.uri)
  if (known !== null || taken.from === 'store') return known ?? ignored('unknown-object')
  if (hostAccess(ctx, hostOf(taken.uri) as string) !== 'open') return refused('object-host-is-blocked')
  if (taken.from === 'copy') {
    const read = readEmbeddedCopy(ctx, { ...received, ownerId: null }, taken.node)
    if (!read.ok) return read.outcome
    const stored = await storeWanted(ctx, read.unstored)
    if (stored.outcome !== 'done') return stored
  } else {
    // The actor may reblog its own followers-only status, so a local follower signs the fetch.
    const as = sameOrigin(taken.uri, received.activity.actor) ? await followerHere(ctx, received.actor.id) : null
    const input = { uri: taken.uri, viewer: null, behind: true, exact: true, ...(as === null ? {} : { as }) }
    const { id, later } = await ctx.call(resolveStatus, input)
    if (later) throw retryLater('the reblogged status cannot be fetched yet')
    if (id === null)
      return received.activity.inner === null
        ? passedOnById(ctx, received, { url: taken.uri, as })
        : ignored('unknown-object')
    // The announced address may be a page of the status, so the stored URI may differ.
    const [found] = (await ctx.call(statusRecords, { ids: [id] })).records
    return found ?? ignored('unknown-object')
  }
  return (await statusOf(ctx, taken.uri)) ?? ignored('unknown-object')
}

const visibilityOf = (ctx: Context, { activity, actor }: Reblog) => {
  const { visibility } = audienceOf(activity.addressing, {
    followers: actor.followers_url as Uri | null,
    isLocalAccount: (uri) => isOurs(uri, ctx.self.ownHosts),
    mentioned: new Set(),
  })
  // A reblog that is addressed to single accounts only is refused.
  return visibility === 'direct' || visibility === 'limited' ? null : visibility
}

/**
 * Id of a reblog that has none, or one without a host. The id is derived from actor and status, so that a repeated
 * Announce is the same reblog.
 */
const idOfReblog = (actor: Uri, status: string): string =>
  `${withoutFragment(actor)}#announces/${createHash('sha256').update(status).digest('hex').slice(0, 32)}`

export const announce: Handler<'Announce'> = async (ctx, received) => {
  const { activity, actor } = received
  const deleted = activity.inner?.type === 'Delete' ? activity.inner.object?.id : null
  if (deleted) return announcedDelete(ctx, received, deleted)
  const undone = activity.inner?.type === 'Undo' && activity.inner.object ? innerOf(activity.inner.object) : null
  if (undone?.type === 'Delete') return undoneDelete(ctx, undone.object?.id ?? null)
  const authorized = authorizeAnnounce(activity, ctx.self.ownHosts)
  if (!authorized.ok) return refused(authorized.reason)
  // The Announce of a relay is not a reblog: it only causes a fetch of the status.
  if (authorized.from !== 'store' && (await isRelay(ctx, activity.actor))) return readRelayed(ctx, authorized.uri)
  const visibility = visibilityOf(ctx, received)
  if (visibility === null) return refused('addressed-to-nobody')
  const before = await undoneBefore(ctx, activity)
  if (before === 'undone') return ignored('undone-before')
  const followed = await ctx.accountCache.isFollowed(actor.id)
  // This check precedes any fetch: reblogs by accounts without local followers are stored only for local statuses.
  if (!followed && authorized.from !== 'store') return refused('nobody-asked')
  const status = await reblogged(ctx, received, authorized)
  if ('outcome' in status) return status
  if (status.deleted) {
    await recordTooLate(ctx, actor, [status.uri])
    return ignored('unknown-object')
  }
  const [author] = (await ctx.call(accountRecords, { ids: [status.author] })).records
  if (author === undefined || author.suspended) return ignored('unknown-object')
  if (activity.inner?.type === 'Update') return announcedEdit(ctx, received, status, author)
  const fault = reblogFault({
    actor: activity.actor,
    author: author.uri as Uri,
    visibility: status.visibility,
    isOurs: status.local,
    followed,
  })
  // The outcome for a non-public status is the same as for an absent status, so that it does not reveal whether the
  // status exists.
  if (fault !== null) return ignored(fault === 'not-rebloggable' ? 'unknown-object' : fault)
  const { outcome } = await unlessNewer(ctx, received, (how) =>
    ctx.call(applyRemoteInteraction, {
      what: 'reblog',
      actor: actor.id,
      object: status.uri,
      uri: activity.id ?? idOfReblog(activity.actor, status.uri),
      again: before === 'again',
      visibility,
      ...how,
      ...(activity.published ? { published: activity.published } : {}),
    }),
  )
  if (outcome === 'unknown' || outcome === 'refused') return ignored('unknown-object')
  await recordInteracted(ctx, actor, [status.uri])
  if (!status.local) await applyAnnouncedDeletion(ctx, received, status)
  return done(outcome === 'done' ? null : outcome)
}
