/**
 * Common parts of favourites, reactions and reblogs by remote accounts. Activities that are repeated, or received in
 * another order, lead to the same state.
 */
import type { Visibility } from '@murmuration/contracts/entities'
import type { ResultOf } from '@murmuration/contracts/kit'
import type { applyRemoteInteraction, RemoteReaction } from '@murmuration/contracts/statuses'
import type { Reader, Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { idByAddress } from '../core/address/find.js'
import { reactionOf } from '../core/emoji-reaction/store.js'
import { deleteTombstone, insertTombstones, lockedHasTombstone } from '../core/status/tombstone.store.js'
import { removeReaction } from '../emoji-reaction/index.js'
import { renameUndoneFavourite, uriOfFavourite } from '../favourite/index.js'

export type Named = Exclude<ResultOf<typeof applyRemoteInteraction.output>['outcome'], 'other'>

/**
 * Result of an interaction. If the stored favourite or boost has another activity id than the one named, `other` is the
 * stored id.
 */
export type Outcome = Named | { other: string }

export interface Interaction {
  actor: string
  object: string | null
  uri: string | null
  visibility?: Visibility | undefined
  published?: string | undefined
  unseen?: boolean | undefined
  again?: boolean | undefined
  exact?: boolean | undefined
  /** A second activity id that is accepted as well as `uri`. */
  instead?: string | undefined
  /** Kind of the undone activity. */
  undone?: 'like' | 'reaction' | undefined
  reaction?: RemoteReaction | undefined
}

export const isOther = (storedUri: string | null, uri: string | null): storedUri is string =>
  storedUri !== null && storedUri !== uri

/** True if `exact` is set and the stored activity is neither the named activity nor `instead`. */
export const isUnexpected = (storedUri: string | null, { uri, exact, instead }: Interaction): storedUri is string =>
  exact === true && isOther(storedUri, uri) && storedUri !== instead

export const idOf = async (ctx: Context, db: Reader, object: string | null): Promise<string | null> =>
  object === null ? null : idByAddress(ctx, db, object)

/**
 * Runs `work` in a transaction unless the activity has a tombstone. An Undo that is received before its activity stores
 * a tombstone. With `again`, the tombstone is deleted, because the actor sent the activity again.
 */
export const unlessUndone = async <T>(
  ctx: Context,
  { actor, uri, again }: Interaction,
  otherwise: T,
  work: (tx: Tx) => Promise<T>,
) =>
  ctx.db.tx(async (tx) => {
    if (uri !== null && again) await deleteTombstone(tx, actor, uri)
    else if (uri !== null && (await lockedHasTombstone(tx, actor, uri))) return otherwise
    return work(tx)
  })

/**
 * Stores a tombstone for an undone activity that was not received yet. A known activity gets no tombstone, because its
 * id may be used again.
 */
export const tombstoneUnseen = async (tx: Tx, { actor, uri, unseen }: Interaction, isThere: boolean): Promise<void> => {
  if (uri !== null && unseen !== false && !isThere) await insertTombstones(tx, actor, [uri])
}

/** Returns the kind that an Undo undoes: that of the one with the named activity id, else the one of the stated kind. */
const undoneOfTwo = (
  { uri, undone }: Interaction,
  stored: { like: string | null; reaction: string | null },
): 'like' | 'reaction' | undefined => {
  if (uri === null) return undone
  if (uri === stored.reaction) return 'reaction'
  return uri === stored.like ? 'like' : undone
}

/**
 * Undoes a reaction and keeps the separate favourite, or undoes the favourite and keeps the reaction. Returns null if
 * the Undo names neither, or if the account has only one of the two.
 */
export const undoOneOfTwo = async (tx: Tx, status: string, one: Interaction): Promise<Outcome | null> => {
  const { actor, uri, undone } = one
  const reaction = uri === null && undone === undefined ? null : await reactionOf(tx, actor, status)
  if (reaction === null) return null
  const like = await uriOfFavourite(tx, actor, status)
  // One activity created both. A favourite and a reaction that both lack an id cannot be distinguished from this case.
  if (like === reaction.uri) return null
  const stored = { like, reaction: reaction.uri }
  const which = undoneOfTwo(one, stored)
  if (which === undefined) return null
  const storedUri = stored[which]
  if (isUnexpected(storedUri, one)) return { other: storedUri }
  if (which === 'reaction') await removeReaction(tx, actor, status)
  else await renameUndoneFavourite(tx, actor, status, reaction.uri)
  return 'done'
}
