/** Update: an actor changes its profile, a status, or a collection of accounts. */
import type { Uri } from '@murmuration/activitypub/vocabulary/uri'
import { putRemote } from '@murmuration/contracts/accounts'
import { fetchActor } from '@murmuration/contracts/federation'
import type { StatusRecord } from '@murmuration/contracts/statuses'
import type { Context } from '../../context.js'
import { authorizeUpdate } from '../object-authority.rules.js'
import { isAddressOf } from './author.js'
import { fetchAddressed, IS_NO_STATUS, isOld, readEmbeddedCopy } from './create.js'
import { collectionUpdated } from './featured-collection.js'
import { storeEdit, storeNew } from './note.js'
import { recordEdit } from './ordering.js'
import { done, ignored, type Outcome, refused } from './outcome.js'
import { type Handler, type Received, retryLater, statusOf } from './received.js'

/**
 * Fetches the actor from its own server and stores it. The copy is ignored, because keys and handle must be fetched
 * from the server of the actor.
 */
const profile = async (ctx: Context, uri: string): Promise<Outcome> => {
  const { outcome, actor } = await ctx.call(fetchActor, { uri, fresh: true, behind: true })
  if (outcome === 'later') throw retryLater('the profile cannot be read yet')
  if (actor === null) return refused(`profile-${outcome}`)
  if (actor.uri !== uri) return refused('not-yours')
  await ctx.call(putRemote, { actor, announced: true })
  return done()
}

/**
 * Stores the version that the server of a status has now, because two edits within a second may have the same edit
 * time. Without a usable response, the stored version stays.
 */
const storeCurrent = async (
  ctx: Context,
  received: Received<'Update'>,
  known: StatusRecord,
  editedAt: string | null,
): Promise<Outcome> => {
  const read = await fetchAddressed(ctx, received, known.uri as Uri, true)
  if (!read.ok) return done('unchanged')
  const { note } = read.unstored
  // A fetched status has no edit time if its `updated` equals its `published`.
  return storeEdit(ctx, { ...read.unstored, note: { ...note, edited_at: note.edited_at ?? editedAt } }, known)
}

export const update: Handler<'Update'> = async (ctx, received) => {
  const { activity, actor } = received
  const { id } = activity.object
  if (id === null) return refused('object-without-id')
  const collection = await collectionUpdated(ctx, received, activity.object)
  if (collection !== null) return collection
  const known = id === activity.actor ? null : await statusOf(ctx, id)
  if (known !== null && known.author !== actor.id) return refused('not-yours')
  const authorized = authorizeUpdate(activity, {
    owner: known === null ? null : activity.actor,
    suspended: actor.suspended,
    ownHosts: ctx.self.ownHosts,
  })
  if (!authorized.ok) return refused(authorized.reason)
  if (authorized.uri === activity.actor) return profile(ctx, authorized.uri)
  if (known?.deleted) return ignored('deleted-before')
  const read =
    authorized.from === 'copy'
      ? readEmbeddedCopy(ctx, received, authorized.node, true)
      : await fetchAddressed(ctx, received, authorized.uri, true)
  if (!read.ok) {
    // The fetched document is no status: the address may be one of the actor.
    const isActor = read.outcome.reason === IS_NO_STATUS && (await isAddressOf(ctx, authorized.uri, actor))
    return isActor ? profile(ctx, activity.actor) : read.outcome
  }
  const { note } = read.unstored
  // The fetched status has its own URI, which may differ from the address in the Update.
  const stored = note.uri === id ? known : await statusOf(ctx, note.uri)
  if (stored !== null && stored.author !== actor.id) return refused('not-yours')
  if (stored?.deleted) return ignored('deleted-before')
  if (stored !== null)
    return storeEdit(ctx, read.unstored, stored, () => storeCurrent(ctx, received, stored, note.edited_at))
  // The edit of an unknown status may arrive before its Create, so it is stored as new. The edit of an old unknown
  // status is only recorded.
  if (!isOld(ctx, read.unstored)) return storeNew(ctx, read.unstored)
  await recordEdit(ctx, received, note.uri)
  return ignored('unknown-object')
}
