/**
 * Favourites, reactions and boosts of remote accounts, and their Undo. Repeated or in any order they lead to the same
 * state.
 */
import type { Visibility } from '@murmuration/contracts/entities'
import type { ResultOf } from '@murmuration/contracts/kit'
import { type applyRemoteInteraction, type RemoteReaction, statusHint } from '@murmuration/contracts/statuses'
import { isDuplicate, type Reader, type Tx } from '@murmuration/db'
import { reblog } from '../boost/index.js'
import type { Context } from '../context.js'
import { idByAddress } from '../core/address/find.js'
import { actorOf, personOf } from '../core/author/remote-actor.js'
import { learnAuthors } from '../core/author/store.js'
import { type ReactionEmoji, reactedByUri, reactionOf } from '../core/emoji-reaction/store.js'
import { mayReblog } from '../core/reblog/rules.js'
import { reblogOf } from '../core/reblog/store.js'
import { isRecent, publishedAt } from '../core/status/remote.rules.js'
import { holdAlive, holdForChange, idsByUri, isIdTaken, renameStatus, rowOf } from '../core/status/store.js'
import {
  deleteTombstone,
  freeAddresses,
  insertTombstones,
  lockedHasTombstone,
  lockUri,
} from '../core/status/tombstone.store.js'
import { type Fact, factsOf } from '../core/viewer/fact.store.js'
import { namedStatus } from '../core/visibility/named-status.js'
import { narrower, visibilityOf } from '../core/visibility/rules.js'
import { removeStatus } from '../deletion/index.js'
import { dropReaction, keepReaction, readReaction } from '../emoji-reaction/index.js'
import { favourite, favouriteByUri, renameFavourite, unfavourite, uriOfFavourite } from '../favourite/index.js'
import { lockInteraction } from './store.js'

type Named = Exclude<ResultOf<typeof applyRemoteInteraction.output>['outcome'], 'other'>

/** The result, or the stored activity id if the interaction has another one. */
type Outcome = Named | { other: string }

export interface Interaction {
  actor: string
  object: string | null
  uri: string | null
  visibility?: Visibility | undefined
  published?: string | undefined
  unseen?: boolean | undefined
  again?: boolean | undefined
  exact?: boolean | undefined
  /** Another activity id that is accepted, too. */
  instead?: string | undefined
  reaction?: RemoteReaction | undefined
}

const isOther = (standing: string | null, uri: string | null): standing is string =>
  standing !== null && standing !== uri

/**
 * Whether the stored interaction is neither the named one nor its accepted replacement, if the caller asks for that.
 */
const isUnexpected = (standing: string | null, { uri, exact, instead }: Interaction): standing is string =>
  exact === true && isOther(standing, uri) && standing !== instead

const idOf = async (ctx: Context, db: Reader, object: string | null): Promise<string | null> =>
  object === null ? null : idByAddress(ctx, db, object)

/**
 * Runs `work` in a transaction unless the activity has a tombstone. An Undo received first stores one. `again` deletes
 * it, because the activity was sent again.
 */
const unlessUndone = async <T>(
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

const asFavourited = (fact: Fact) => ({ id: fact.id, uri: fact.uri, author: fact.author_id, authorLocal: fact.local })

/**
 * The account has favourited the status before. Returns the other activity id, or stores this one. A favourite and a
 * reaction may have separate activities.
 */
const favouritedBefore = async (tx: Tx, fact: Fact, one: Interaction): Promise<Outcome> => {
  const { actor, uri } = one
  const [standing, reaction] = [await uriOfFavourite(tx, actor, fact.id), await reactionOf(tx, actor, fact.id)]
  if (reaction !== null && reaction.uri === standing && uri !== null) {
    if (uri !== standing) await renameFavourite(tx, actor, fact.id, uri)
    return 'unchanged'
  }
  if (uri === null || !isOther(standing, uri)) return 'unchanged'
  if (isUnexpected(standing, one)) return { other: standing }
  await renameFavourite(tx, actor, fact.id, uri)
  return 'unchanged'
}

/** The account has favourited or reacted before. The newest emoji replaces the stored one. */
const reactedBefore = async (
  ctx: Context,
  tx: Tx,
  fact: Fact,
  one: Interaction,
  emoji: ReactionEmoji,
): Promise<Outcome> => {
  const { actor, uri } = one
  const before = await reactionOf(tx, actor, fact.id)
  const isSame = before?.name === emoji.name && before.domain === emoji.domain
  if (before !== null) {
    if (before.uri === uri && (uri !== null || isSame)) return 'unchanged'
    if (isUnexpected(before.uri, one)) return { other: before.uri }
    const isAlone = before.uri === (await uriOfFavourite(tx, actor, fact.id))
    if (isAlone && uri !== null) await renameFavourite(tx, actor, fact.id, uri)
  }
  await keepReaction(ctx, tx, { ...emoji, account_id: actor, status_id: fact.id, uri })
  return isSame ? 'unchanged' : 'done'
}

export const remoteFavourite = async (ctx: Context, one: Interaction): Promise<Outcome> => {
  const { actor, object, uri } = one
  const [who, fact] = await Promise.all([actorOf(ctx, actor, [uri]), namedStatus(ctx, actor, object)])
  if (!who) return 'refused'
  if (!fact) return 'unknown'
  const emoji = await readReaction(ctx, one.reaction, who)
  // Reactions of suspended accounts are not listed, so the author's flags must be stored.
  if (emoji !== null) await learnAuthors(ctx.db, [who])
  try {
    return await unlessUndone<Outcome>(ctx, one, 'unchanged', async (tx) => {
      await lockInteraction(tx, actor, fact.id)
      if (!(await holdAlive(tx, fact.id))) return 'unchanged'
      const fresh = await favourite(ctx, tx, asFavourited(fact), { id: actor, local: false }, uri)
      if (!fresh) return emoji ? reactedBefore(ctx, tx, fact, one, emoji) : favouritedBefore(tx, fact, one)
      if (emoji) await keepReaction(ctx, tx, { ...emoji, account_id: actor, status_id: fact.id, uri })
      return 'done'
    })
  } catch (error) {
    // The activity id is stored with another status. The first one counts.
    if (isDuplicate(error)) return 'unchanged'
    throw error
  }
}

/**
 * Stores a tombstone for an undone activity that was not received yet. A known activity gets none, because its id may
 * be used again.
 */
const tombstoneUnseen = async (tx: Tx, { actor, uri, unseen }: Interaction, isThere: boolean): Promise<void> => {
  if (uri !== null && unseen !== false && !isThere) await insertTombstones(tx, actor, [uri])
}

/**
 * Undoes a reaction and keeps the separate favourite, or the other way round. Returns false if the activity is neither
 * or was the only one.
 */
const undoneBeside = async (tx: Tx, actor: string, status: string, uri: string | null): Promise<boolean> => {
  const reaction = uri === null ? null : await reactionOf(tx, actor, status)
  if (uri === null || reaction === null) return false
  const standing = await uriOfFavourite(tx, actor, status)
  if (reaction.uri === uri && standing !== uri) return dropReaction(tx, actor, status)
  if (standing !== uri || reaction.uri === null || reaction.uri === uri) return false
  await renameFavourite(tx, actor, status, reaction.uri)
  return true
}

export const undoRemoteFavourite = async (ctx: Context, one: Interaction): Promise<Outcome> => {
  const { actor, object, uri } = one
  if (!(await personOf(ctx, actor, [uri]))) return 'refused'
  return ctx.db.tx(async (tx): Promise<Outcome> => {
    if (uri !== null) await lockUri(tx, uri)
    const named = uri === null ? null : ((await favouriteByUri(tx, actor, uri)) ?? (await reactedByUri(tx, actor, uri)))
    await tombstoneUnseen(tx, one, named !== null)
    const id = named?.status_id ?? (await idOf(ctx, tx, object))
    if (id !== null) await lockInteraction(tx, actor, id)
    const fact = id === null ? undefined : (await factsOf(tx, null, [id])).get(id)
    if (!fact) return 'unchanged'
    if (await undoneBeside(tx, actor, fact.id, uri)) return 'done'
    // With `exact`, a favourite is deleted only if it has this uri or no uri.
    const only = one.exact ? [uri, one.instead].filter((it) => it != null) : null
    if (await unfavourite(ctx, tx, asFavourited(fact), { id: actor, local: false }, only)) return 'done'
    const standing = await uriOfFavourite(tx, actor, fact.id)
    return isUnexpected(standing, one) ? { other: standing } : 'unchanged'
  })
}

const rebloggedBefore = async (tx: Tx, fact: Fact, one: Interaction): Promise<Outcome> => {
  const { actor, uri } = one
  const there = await reblogOf(tx, actor, fact.id)
  const boost = there && (await rowOf(tx, there.reblog_id))
  if (!boost || boost.local || uri === null || !isOther(boost.uri, uri)) return 'unchanged'
  if (isUnexpected(boost.uri, one)) return { other: boost.uri }
  if (await holdForChange(tx, boost.id, actor)) await renameStatus(tx, boost.id, uri)
  return 'unchanged'
}

export const remoteReblog = async (ctx: Context, one: Interaction): Promise<Outcome> => {
  const { actor, object, uri } = one
  const [who, fact] = await Promise.all([actorOf(ctx, actor, [uri]), namedStatus(ctx, actor, object)])
  if (!who || uri === null) return 'refused'
  if (!fact) return 'unknown'
  const visibility = visibilityOf(fact.visibility)
  if (!mayReblog(actor, { authorId: fact.author_id, visibility })) return 'refused'
  await learnAuthors(ctx.db, [who])
  const createdAt = publishedAt(one.published ?? '', ctx.clock.now())
  const asked = one.visibility === 'direct' ? 'private' : (one.visibility ?? 'public')
  const store = () =>
    unlessUndone<Outcome>(ctx, one, 'unchanged', async (tx) => {
      await lockInteraction(tx, actor, fact.id)
      if (!(await holdAlive(tx, fact.id))) return 'unchanged'
      const fresh = await reblog(ctx, tx, {
        id: ctx.ids.at(createdAt.getTime()),
        author: actor,
        local: false,
        visibility: visibility === 'private' ? narrower(visibility, asked) : asked,
        uri,
        url: null,
        original: { id: fact.id, author: fact.author_id, local: fact.local },
        createdAt,
        push: isRecent(createdAt, ctx.clock.now()),
      })
      return fresh ? 'done' : rebloggedBefore(tx, fact, one)
    })
  try {
    return await store().catch((error) => {
      if (isIdTaken(error)) return store()
      throw error
    })
  } catch (error) {
    if (isDuplicate(error)) return 'unchanged'
    throw error
  }
}

export const undoRemoteReblog = async (ctx: Context, one: Interaction): Promise<Outcome> => {
  const { actor, object, uri } = one
  if (!(await personOf(ctx, actor, [uri]))) return 'refused'
  const removed = await ctx.db.tx(async (tx): Promise<string | null | { other: string }> => {
    if (uri !== null) await lockUri(tx, uri)
    const named = uri === null ? undefined : (await idsByUri(tx, [uri])).get(uri)
    const original = await idOf(ctx, tx, object)
    const boost = named ?? (original === null ? undefined : (await reblogOf(tx, actor, original))?.reblog_id)
    const row = boost ? await rowOf(tx, boost) : null
    const theirs = row?.author_id === actor && row.reblog_of_id !== null ? row : null
    await tombstoneUnseen(tx, one, theirs !== null && theirs.uri === uri)
    if (!theirs?.reblog_of_id) return null
    await lockInteraction(tx, actor, theirs.reblog_of_id)
    if (!(await holdForChange(tx, theirs.id, actor))) return null
    // The boost may have got another id since it was read.
    const held = one.exact ? await rowOf(tx, theirs.id) : null
    if (held && isUnexpected(held.uri, one)) return { other: held.uri }
    await removeStatus(ctx, tx, theirs)
    await freeAddresses(tx, [theirs.id])
    return theirs.id
  })
  if (removed !== null && typeof removed === 'object') return removed
  if (removed !== null) ctx.hints.send(statusHint, [removed])
  return removed === null ? 'unchanged' : 'done'
}
