/** Likes and boosts of remote people, and their undoing; repeated or out of order they end in the same state. */
import { type AccountRecord, accountRecords } from '@murmuration/contracts/accounts'
import type { ResultOf } from '@murmuration/contracts/kit'
import { type applyRemoteInteraction, statusHint, type Visibility } from '@murmuration/contracts/statuses'
import { isDuplicate } from '@murmuration/db'
import type { Context } from '../context.js'
import { localStatusId } from '../domain/address.js'
import { publishedAt } from '../domain/remote.js'
import { visibilityOf } from '../domain/visibility.js'
import { learnAuthors } from '../store/author-flag.js'
import { type Fact, factsOf } from '../store/fact.js'
import { favouriteByUri } from '../store/favourite.js'
import { reblogOf } from '../store/reblog.js'
import { holdAlive, holdForChange, idsByUri, rowOf } from '../store/status.js'
import { bury, isBuried } from '../store/tombstone.js'
import { standingsOf } from '../views/hydrate.js'
import { isVisible } from '../views/rules.js'
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

const actorOf = async (ctx: Context, id: string): Promise<AccountRecord | null> => {
  const { records } = await ctx.call(accountRecords, { ids: [id] })
  const [record] = records
  return record && record.domain !== null && !record.suspended ? record : null
}

/** The status that is meant (of a boost, the original), when the actor may see it. */
const meant = async (ctx: Context, actor: string, object: string | null): Promise<Fact | null> => {
  if (object === null) return null
  const id = (await idsByUri(ctx.db, [object])).get(object) ?? localStatusId(ctx.site.origin, object)
  if (!id) return null
  const facts = await factsOf(ctx.db, actor, [id])
  const given = facts.get(id)
  const proper = given?.reblog_of_id ? facts.get(given.reblog_of_id) : given
  if (!proper) return null
  const standings = await standingsOf(ctx, actor, [proper.author_id])
  return isVisible({ viewerId: actor, standings }, proper) ? proper : null
}

const asFavourited = (fact: Fact) => ({ id: fact.id, uri: fact.uri, author: fact.author_id, authorLocal: fact.local })

export const remoteFavourite = async (ctx: Context, { actor, object, uri }: Interaction): Promise<Outcome> => {
  const [who, fact, undone] = await Promise.all([
    actorOf(ctx, actor),
    meant(ctx, actor, object),
    uri === null ? false : isBuried(ctx.db, actor, uri),
  ])
  if (!who || undone) return 'refused'
  if (!fact) return 'unknown'
  const fresh = await ctx.db.tx(
    async (tx) =>
      (await holdAlive(tx, fact.id)) && favourite(ctx, tx, asFavourited(fact), { id: actor, local: false }, uri),
  )
  return fresh ? 'done' : 'unchanged'
}

export const undoRemoteFavourite = async (ctx: Context, { actor, object, uri }: Interaction): Promise<Outcome> => {
  const named = uri === null ? null : await favouriteByUri(ctx.db, actor, uri)
  const id =
    named?.status_id ??
    (object === null
      ? undefined
      : ((await idsByUri(ctx.db, [object])).get(object) ?? localStatusId(ctx.site.origin, object)))
  const fact = id ? (await factsOf(ctx.db, null, [id])).get(id) : undefined
  const undone = await ctx.db.tx(async (tx) => {
    // The Undo may overtake its Like.
    if (uri !== null) await bury(tx, actor, [uri])
    return fact ? unfavourite(ctx, tx, asFavourited(fact), { id: actor, local: false }) : false
  })
  return undone ? 'done' : 'unchanged'
}

export const remoteReblog = async (ctx: Context, one: Interaction): Promise<Outcome> => {
  const { actor, object, uri } = one
  const [who, fact, undone] = await Promise.all([
    actorOf(ctx, actor),
    meant(ctx, actor, object),
    uri === null ? false : isBuried(ctx.db, actor, uri),
  ])
  if (!who || undone || uri === null) return 'refused'
  if (!fact) return 'unknown'
  const visibility = visibilityOf(fact.visibility)
  const own = fact.author_id === actor
  if (visibility === 'direct' || (visibility === 'private' && !own)) return 'refused'
  await learnAuthors(ctx.db, [who])
  const createdAt = publishedAt(one.published ?? '', ctx.clock.now())
  try {
    const fresh = await ctx.db.tx(async (tx) => {
      if (!(await holdAlive(tx, fact.id))) return false
      return reblog(ctx, tx, {
        id: ctx.ids.at(createdAt.getTime()),
        author: actor,
        local: false,
        visibility:
          visibility === 'private' ? 'private' : one.visibility === 'direct' ? 'private' : (one.visibility ?? 'public'),
        uri,
        url: null,
        original: { id: fact.id, author: fact.author_id, local: fact.local },
        createdAt,
        push: true,
      })
    })
    return fresh ? 'done' : 'unchanged'
  } catch (error) {
    if (isDuplicate(error)) return 'unchanged'
    throw error
  }
}

export const undoRemoteReblog = async (ctx: Context, { actor, object, uri }: Interaction): Promise<Outcome> => {
  const byUri = uri === null ? undefined : (await idsByUri(ctx.db, [uri])).get(uri)
  const original =
    object === null
      ? undefined
      : ((await idsByUri(ctx.db, [object])).get(object) ?? localStatusId(ctx.site.origin, object))
  const boost = byUri ?? (original ? (await reblogOf(ctx.db, actor, original))?.reblog_id : undefined)
  const row = boost ? await rowOf(ctx.db, boost) : null
  const undone = await ctx.db.tx(async (tx) => {
    if (uri !== null) await bury(tx, actor, [uri])
    if (!row || row.author_id !== actor || row.reblog_of_id === null || !(await holdForChange(tx, row.id, actor)))
      return false
    await removeStatus(ctx, tx, row)
    return true
  })
  if (undone && row) ctx.hints.send(statusHint, [row.id])
  return undone ? 'done' : 'unchanged'
}
