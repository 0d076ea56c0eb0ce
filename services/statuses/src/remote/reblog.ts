/** Stores boosts by remote accounts, and deletes those that are undone. */
import { statusInvalidation } from '@murmuration/contracts/statuses'
import { isDuplicate, type Tx } from '@murmuration/db'
import { timeOfId } from '@murmuration/kernel'
import { reblog } from '../boost/index.js'
import type { Context } from '../context.js'
import { actorOf, remoteRecordOf } from '../core/author/remote-actor.js'
import { insertMissingAuthors } from '../core/author/store.js'
import { mayReblog, timeOfReblog } from '../core/reblog/rules.js'
import { reblogOf } from '../core/reblog/store.js'
import { isRecent, publishedAt } from '../core/status/remote.rules.js'
import { createdIfNotDeleted, idsByUri, isIdTaken, lockForChange, renameStatus, rowOf } from '../core/status/store.js'
import { freeAddresses, lockUri } from '../core/status/tombstone.store.js'
import type { LoadedStatus } from '../core/viewer/loaded-status.store.js'
import { namedStatus } from '../core/visibility/named-status.js'
import { narrower, visibilityOf } from '../core/visibility/rules.js'
import { removeStatus } from '../deletion/index.js'
import {
  type Interaction,
  idOf,
  isOther,
  isUnexpected,
  type Outcome,
  tombstoneUnseen,
  unlessUndone,
} from './interaction.js'
import { lockInteraction } from './store.js'

const rebloggedBefore = async (tx: Tx, status: LoadedStatus, one: Interaction): Promise<Outcome> => {
  const { actor, uri } = one
  const there = await reblogOf(tx, actor, status.id)
  const boost = there && (await rowOf(tx, there.reblog_id))
  if (!boost || boost.local || uri === null || !isOther(boost.uri, uri)) return 'unchanged'
  if (isUnexpected(boost.uri, one)) return { other: boost.uri }
  if (await lockForChange(tx, boost.id, actor)) await renameStatus(tx, boost.id, uri)
  return 'unchanged'
}

export const remoteReblog = async (ctx: Context, one: Interaction): Promise<Outcome> => {
  const { actor, object, uri } = one
  const [who, status] = await Promise.all([actorOf(ctx, actor, [uri]), namedStatus(ctx, actor, object)])
  if (!who || uri === null) return 'refused'
  if (!status) return 'unknown'
  const visibility = visibilityOf(status.visibility)
  if (!mayReblog(actor, { authorId: status.author_id, visibility })) return 'refused'
  await insertMissingAuthors(ctx.db, [who])
  const stated = publishedAt(one.published ?? '', ctx.clock.now())
  const requested = one.visibility === 'direct' ? 'private' : (one.visibility ?? 'public')
  const store = () =>
    unlessUndone<Outcome>(ctx, one, 'unchanged', async (tx) => {
      await lockInteraction(tx, actor, status.id)
      const created = await createdIfNotDeleted(tx, status.id)
      if (created === null) return 'unchanged'
      const original = { id: timeOfId(status.id), created: created.getTime() }
      const createdAt = new Date(timeOfReblog(stated.getTime(), original))
      const fresh = await reblog(ctx, tx, {
        id: ctx.ids.at(createdAt.getTime()),
        author: actor,
        local: false,
        visibility: visibility === 'private' ? narrower(visibility, requested) : requested,
        uri,
        url: null,
        original: { id: status.id, author: status.author_id, local: status.local },
        createdAt,
        push: isRecent(createdAt, ctx.clock.now()),
      })
      return fresh ? 'done' : rebloggedBefore(tx, status, one)
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
  if (!(await remoteRecordOf(ctx, actor, [uri]))) return 'refused'
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
    if (!(await lockForChange(tx, theirs.id, actor))) return null
    // The row is read again under the lock, because the boost may have got another activity id meanwhile.
    const held = one.exact ? await rowOf(tx, theirs.id) : null
    if (held && isUnexpected(held.uri, one)) return { other: held.uri }
    await removeStatus(ctx, tx, theirs)
    await freeAddresses(tx, [theirs.id])
    return theirs.id
  })
  if (removed !== null && typeof removed === 'object') return removed
  if (removed !== null) ctx.invalidations.send(statusInvalidation, [removed])
  return removed === null ? 'unchanged' : 'done'
}
