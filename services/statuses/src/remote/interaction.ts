/** Common parts of favourites, reactions and reblogs by remote accounts. Repeated or in any order they lead to the same state. */
import type { Visibility } from '@murmuration/contracts/entities'
import type { ResultOf } from '@murmuration/contracts/kit'
import type { applyRemoteInteraction, RemoteReaction } from '@murmuration/contracts/statuses'
import type { Reader, Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { idByAddress } from '../core/address/find.js'
import { reactionOf } from '../core/emoji-reaction/store.js'
import { deleteTombstone, insertTombstones, lockedHasTombstone } from '../core/status/tombstone.store.js'
import { dropReaction } from '../emoji-reaction/index.js'
import { renameFavourite, uriOfFavourite } from '../favourite/index.js'

export type Named = Exclude<ResultOf<typeof applyRemoteInteraction.output>['outcome'], 'other'>

/** The result, or the stored activity id if the interaction has another one. */
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
  /** A second activity id that is accepted, too. */
  instead?: string | undefined
  reaction?: RemoteReaction | undefined
}

export const isOther = (standing: string | null, uri: string | null): standing is string =>
  standing !== null && standing !== uri

/**
 * Whether the stored interaction is neither the named one nor its accepted replacement, if the caller asks for that.
 */
export const isUnexpected = (standing: string | null, { uri, exact, instead }: Interaction): standing is string =>
  exact === true && isOther(standing, uri) && standing !== instead

export const idOf = async (ctx: Context, db: Reader, object: string | null): Promise<string | null> =>
  object === null ? null : idByAddress(ctx, db, object)

/**
 * Runs `work` in a transaction unless the activity has a tombstone. An Undo received first stores one. `again` deletes
 * it, because the activity was sent again.
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
 * Stores a tombstone for an undone activity that was not received yet. A known activity gets none, because its id may
 * be used again.
 */
export const tombstoneUnseen = async (tx: Tx, { actor, uri, unseen }: Interaction, isThere: boolean): Promise<void> => {
  if (uri !== null && unseen !== false && !isThere) await insertTombstones(tx, actor, [uri])
}

/**
 * Undoes a reaction and keeps the separate favourite, or the other way round. Returns false if the activity is neither
 * or was the only one.
 */
export const undoneBeside = async (tx: Tx, actor: string, status: string, uri: string | null): Promise<boolean> => {
  const reaction = uri === null ? null : await reactionOf(tx, actor, status)
  if (uri === null || reaction === null) return false
  const standing = await uriOfFavourite(tx, actor, status)
  if (reaction.uri === uri && standing !== uri) return dropReaction(tx, actor, status)
  if (standing !== uri || reaction.uri === null || reaction.uri === uri) return false
  await renameFavourite(tx, actor, status, reaction.uri)
  return true
}
