/** Likes and boosts of remote people, and their undoing; repeated or out of order they end in the same state. */
import { type AccountRecord, accountRecords } from '@murmuration/contracts/accounts'
import type { Visibility } from '@murmuration/contracts/entities'
import type { ResultOf } from '@murmuration/contracts/kit'
import { type applyRemoteInteraction, statusHint } from '@murmuration/contracts/statuses'
import { isDuplicate, type Reader, type Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { localStatusId } from '../domain/address.js'
import { mayReblog } from '../domain/reblog.js'
import { isOfOrigin, isRecent, publishedAt } from '../domain/remote.js'
import { narrower, visibilityOf } from '../domain/visibility.js'
import { learnAuthors } from '../store/author-flag.js'
import { type Fact, factsOf } from '../store/fact.js'
import { favouriteByUri } from '../store/favourite.js'
import { reblogOf } from '../store/reblog.js'
import { holdAlive, holdForChange, idsByUri, rowOf } from '../store/status.js'
import { bury, isTakenBack, lockUri } from '../store/tombstone.js'
import { isVisible } from '../views/rules.js'
import { standingsOf } from '../views/standings.js'
import { favourite, unfavourite } from './favourite.js'
import { reblog } from './reblog.js'
import { removeStatus } from './remove.js'

type Outcome = ResultOf<typeof applyRemoteInteraction.output>['outcome']

export interface Interaction {
  actor: string
  object: string | null
  uri: string | null
  visibility?: Visibility | undefined
  published?: string | undefined
}

/** The actor, when they may act; an activity of another server’s origin is not theirs (security rule 2). */
export const actorOf = async (
  ctx: Context,
  id: string,
  uris: readonly (string | null)[],
): Promise<AccountRecord | null> => {
  const { records } = await ctx.call(accountRecords, { ids: [id] })
  const [record] = records
  if (!record || record.domain === null || record.suspended) return null
  return uris.every((uri) => uri === null || isOfOrigin(uri, record.uri)) ? record : null
}

const idOf = async (ctx: Context, db: Reader, object: string | null): Promise<string | null> =>
  object === null ? null : ((await idsByUri(db, [object])).get(object) ?? localStatusId(ctx.site.origin, object))

/** The status that is meant (of a boost, the original), when the actor may see it. */
export const meant = async (ctx: Context, actor: string, object: string | null): Promise<Fact | null> => {
  const id = await idOf(ctx, ctx.db, object)
  if (id === null) return null
  const facts = await factsOf(ctx.db, actor, [id])
  const given = facts.get(id)
  const proper = given?.reblog_of_id ? facts.get(given.reblog_of_id) : given
  if (!proper) return null
  const standings = await standingsOf(ctx, actor, [proper.author_id])
  return isVisible({ viewerId: actor, standings }, proper) ? proper : null
}

/** One activity after the other: an Undo that overtakes what it undoes is remembered, and that does nothing later. */
const unlessUndone = async <T>(ctx: Context, { actor, uri }: Interaction, otherwise: T, work: (tx: Tx) => Promise<T>) =>
  ctx.db.tx(async (tx) => {
    if (uri !== null && (await isTakenBack(tx, actor, uri))) return otherwise
    return work(tx)
  })

const asFavourited = (fact: Fact) => ({ id: fact.id, uri: fact.uri, author: fact.author_id, authorLocal: fact.local })

export const remoteFavourite = async (ctx: Context, one: Interaction): Promise<Outcome> => {
  const { actor, object, uri } = one
  const [who, fact] = await Promise.all([actorOf(ctx, actor, [uri]), meant(ctx, actor, object)])
  if (!who) return 'refused'
  if (!fact) return 'unknown'
  try {
    const fresh = await unlessUndone(
      ctx,
      one,
      false,
      async (tx) =>
        (await holdAlive(tx, fact.id)) && favourite(ctx, tx, asFavourited(fact), { id: actor, local: false }, uri),
    )
    return fresh ? 'done' : 'unchanged'
  } catch (error) {
    // The same activity id for another status: the first one counts.
    if (isDuplicate(error)) return 'unchanged'
    throw error
  }
}

export const undoRemoteFavourite = async (ctx: Context, { actor, object, uri }: Interaction): Promise<Outcome> => {
  if (!(await actorOf(ctx, actor, [uri]))) return 'refused'
  const undone = await ctx.db.tx(async (tx) => {
    if (uri !== null) await lockUri(tx, uri)
    const named = uri === null ? null : await favouriteByUri(tx, actor, uri)
    // What was there is taken back and may be said again under its id; only what is overtaken must do nothing later.
    if (uri !== null && !named) await bury(tx, actor, [uri])
    const id = named?.status_id ?? (await idOf(ctx, tx, object))
    const fact = id === null ? undefined : (await factsOf(tx, null, [id])).get(id)
    return fact ? unfavourite(ctx, tx, asFavourited(fact), { id: actor, local: false }) : false
  })
  return undone ? 'done' : 'unchanged'
}

export const remoteReblog = async (ctx: Context, one: Interaction): Promise<Outcome> => {
  const { actor, object, uri } = one
  const [who, fact] = await Promise.all([actorOf(ctx, actor, [uri]), meant(ctx, actor, object)])
  if (!who || uri === null) return 'refused'
  if (!fact) return 'unknown'
  const visibility = visibilityOf(fact.visibility)
  if (!mayReblog(actor, { authorId: fact.author_id, visibility })) return 'refused'
  await learnAuthors(ctx.db, [who])
  const createdAt = publishedAt(one.published ?? '', ctx.clock.now())
  const asked = one.visibility === 'direct' ? 'private' : (one.visibility ?? 'public')
  try {
    const fresh = await unlessUndone(ctx, one, false, async (tx) => {
      if (!(await holdAlive(tx, fact.id))) return false
      return reblog(ctx, tx, {
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
    })
    return fresh ? 'done' : 'unchanged'
  } catch (error) {
    if (isDuplicate(error)) return 'unchanged'
    throw error
  }
}

export const undoRemoteReblog = async (ctx: Context, { actor, object, uri }: Interaction): Promise<Outcome> => {
  if (!(await actorOf(ctx, actor, [uri]))) return 'refused'
  const removed = await ctx.db.tx(async (tx) => {
    if (uri !== null) {
      await lockUri(tx, uri)
      await bury(tx, actor, [uri])
    }
    const named = uri === null ? undefined : (await idsByUri(tx, [uri])).get(uri)
    const original = await idOf(ctx, tx, object)
    const boost = named ?? (original === null ? undefined : (await reblogOf(tx, actor, original))?.reblog_id)
    const row = boost ? await rowOf(tx, boost) : null
    if (!row || row.author_id !== actor || row.reblog_of_id === null) return null
    if (!(await holdForChange(tx, row.id, actor))) return null
    await removeStatus(ctx, tx, row)
    return row.id
  })
  if (removed !== null) ctx.hints.send(statusHint, [removed])
  return removed === null ? 'unchanged' : 'done'
}
