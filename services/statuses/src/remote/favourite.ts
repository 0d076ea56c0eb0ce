/** Stores favourites and emoji reactions by remote accounts, and deletes those that are undone. */
import { isDuplicate, type Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { actorOf, remoteRecordOf } from '../core/author/remote-actor.js'
import { insertMissingAuthors } from '../core/author/store.js'
import { type ReactionEmoji, reactedByUri, reactionOf } from '../core/emoji-reaction/store.js'
import { lockIfNotDeleted } from '../core/status/store.js'
import { lockUri } from '../core/status/tombstone.store.js'
import { type LoadedStatus, loadStatuses } from '../core/viewer/loaded-status.store.js'
import { namedStatus } from '../core/visibility/named-status.js'
import { readReaction, storeReaction } from '../emoji-reaction/index.js'
import { favourite, favouriteByUri, renameFavourite, unfavourite, uriOfFavourite } from '../favourite/index.js'
import {
  type Interaction,
  idOf,
  isOther,
  isUnexpected,
  type Outcome,
  tombstoneUnseen,
  undoOneOfTwo,
  unlessUndone,
} from './interaction.js'
import { lockInteraction } from './store.js'

const asFavourited = (status: LoadedStatus) => ({
  id: status.id,
  uri: status.uri,
  author: status.author_id,
  authorLocal: status.local,
})

/**
 * Handles a Like by an account that has favourited the status before. The new activity id replaces the stored one. With
 * `exact`, an unexpected stored id is returned instead. A favourite and an emoji reaction may have separate activities.
 */
const favouritedBefore = async (tx: Tx, status: LoadedStatus, one: Interaction): Promise<Outcome> => {
  const { actor, uri } = one
  const [storedUri, reaction] = [await uriOfFavourite(tx, actor, status.id), await reactionOf(tx, actor, status.id)]
  if (reaction !== null && reaction.uri === storedUri && uri !== null) {
    if (uri !== storedUri) await renameFavourite(tx, actor, status.id, uri)
    return 'unchanged'
  }
  if (uri === null || !isOther(storedUri, uri)) return 'unchanged'
  if (isUnexpected(storedUri, one)) return { other: storedUri }
  await renameFavourite(tx, actor, status.id, uri)
  return 'unchanged'
}

/**
 * Handles an emoji reaction by an account that has favourited or reacted to the status before. The newest emoji
 * replaces the stored one.
 */
const reactedBefore = async (
  ctx: Context,
  tx: Tx,
  status: LoadedStatus,
  one: Interaction,
  emoji: ReactionEmoji,
): Promise<Outcome> => {
  const { actor, uri } = one
  const before = await reactionOf(tx, actor, status.id)
  const isSame = before?.name === emoji.name && before.domain === emoji.domain
  if (before !== null) {
    if (before.uri === uri && (uri !== null || isSame)) return 'unchanged'
    if (isUnexpected(before.uri, one)) return { other: before.uri }
    const isAlone = before.uri === (await uriOfFavourite(tx, actor, status.id))
    if (isAlone) await renameFavourite(tx, actor, status.id, uri)
  }
  await storeReaction(ctx, tx, { ...emoji, account_id: actor, status_id: status.id, uri })
  return isSame ? 'unchanged' : 'done'
}

export const remoteFavourite = async (ctx: Context, one: Interaction): Promise<Outcome> => {
  const { actor, object, uri } = one
  const [who, status] = await Promise.all([actorOf(ctx, actor, [uri]), namedStatus(ctx, actor, object)])
  if (!who) return 'refused'
  if (!status) return 'unknown'
  const emoji = await readReaction(ctx, one.reaction, who)
  // Reactions of suspended accounts are not listed, so the author's flags must be stored.
  if (emoji !== null) await insertMissingAuthors(ctx.db, [who])
  try {
    return await unlessUndone<Outcome>(ctx, one, 'unchanged', async (tx) => {
      await lockInteraction(tx, actor, status.id)
      if (!(await lockIfNotDeleted(tx, status.id))) return 'unchanged'
      const fresh = await favourite(ctx, tx, asFavourited(status), { id: actor, local: false }, uri)
      if (!fresh) return emoji ? reactedBefore(ctx, tx, status, one, emoji) : favouritedBefore(tx, status, one)
      if (emoji) await storeReaction(ctx, tx, { ...emoji, account_id: actor, status_id: status.id, uri })
      return 'done'
    })
  } catch (error) {
    // The activity id is stored with another status. The first favourite with an activity id counts.
    if (isDuplicate(error)) return 'unchanged'
    throw error
  }
}

export const undoRemoteFavourite = async (ctx: Context, one: Interaction): Promise<Outcome> => {
  const { actor, object, uri } = one
  if (!(await remoteRecordOf(ctx, actor, [uri]))) return 'refused'
  return ctx.db.tx(async (tx): Promise<Outcome> => {
    if (uri !== null) await lockUri(tx, uri)
    const named = uri === null ? null : ((await favouriteByUri(tx, actor, uri)) ?? (await reactedByUri(tx, actor, uri)))
    await tombstoneUnseen(tx, one, named !== null)
    const id = named?.status_id ?? (await idOf(ctx, tx, object))
    if (id !== null) await lockInteraction(tx, actor, id)
    const status = id === null ? undefined : (await loadStatuses(tx, null, [id])).get(id)
    if (!status) return 'unchanged'
    const undone = await undoOneOfTwo(tx, status.id, one)
    if (undone !== null) return undone
    // With `exact`, a favourite is deleted only if it has the uri of the undone activity, the uri `instead`, or none.
    const only = one.exact ? [uri, one.instead].filter((it) => it != null) : null
    if (await unfavourite(ctx, tx, asFavourited(status), { id: actor, local: false }, only)) return 'done'
    const storedUri = await uriOfFavourite(tx, actor, status.id)
    return isUnexpected(storedUri, one) ? { other: storedUri } : 'unchanged'
  })
}
