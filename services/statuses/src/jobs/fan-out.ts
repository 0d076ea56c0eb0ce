/** Puts a status into the feeds of a page of followers, and on the first page also before everybody who watches live. */
import { fanOut as contract, type LiveMessage } from '@murmuration/contracts/statuses'
import { tellLists, tellPeople, tellPublic } from '../changes/live.js'
import { decide, feedStatus, followerPage, ownLists } from '../changes/receivers.js'
import { sendByTags } from '../changes/tag-receivers.js'
import type { Context } from '../context.js'
import { work } from '../doors.js'
import { type Fact, factsOf } from '../store/fact.js'
import { type Entry, homeKey, listKey, putInto } from '../store/feed.js'

interface Targets {
  /** Accounts whose home feed it goes into. */
  homes: string[]
  lists: { owner: string; id: string }[]
}
type Event = Extract<LiveMessage['e'], 'update' | 'status.update'>

/** The author’s own feeds, and public streams: no follower is needed for them. */
const firstTargets = async (ctx: Context, fact: Fact, e: Event): Promise<Targets> => {
  if (fact.visibility === 0 && fact.reblog_of_id === null && fact.silenced === false)
    tellPublic(ctx, fact, { e, id: fact.id, local: fact.local, media: fact.media_ids.length > 0 })
  if (!fact.local) return { homes: [], lists: [] }
  const lists = await ownLists(ctx, fact.author_id)
  return { homes: [fact.author_id], lists: lists.map((id) => ({ owner: fact.author_id, id })) }
}

/** Fills the feeds; gives those whose owners may be told. */
const fill = async (ctx: Context, targets: Targets, entry: Entry, author: string): Promise<Targets> => {
  const keys = [...targets.homes.map(homeKey), ...targets.lists.map((list) => listKey(list.owner, list.id))]
  const refused = await putInto(ctx.redis, keys, entry, ctx.feedRules)
  return {
    // The author’s own feed was filled when they were answered, so it refuses; their connections are told all the same.
    homes: targets.homes.filter((id, i) => !refused.has(i) || id === author),
    lists: targets.lists.filter((_, i) => !refused.has(targets.homes.length + i)),
  }
}

export const fanOut = work(contract, async (ctx, { status: id, after, edited, quiet }) => {
  const facts = await factsOf(ctx.db, null, [id])
  const fact = facts.get(id)
  const original = fact?.reblog_of_id ? facts.get(fact.reblog_of_id) : undefined
  if (!fact || (fact.reblog_of_id !== null && !original)) return
  const status = feedStatus(fact, original)
  const page = await followerPage(ctx, status, after)
  if (page.next !== null)
    await ctx.queues.push(contract, {
      id: `${id}:${quiet ? 'quiet' : (edited ?? 0)}:${page.next}`,
      data: { status: id, after: page.next, edited, quiet },
    })
  if (after === undefined && !quiet) await sendByTags(ctx, fact, edited)
  const e = edited === undefined ? 'update' : 'status.update'
  const [decided, first] = await Promise.all([
    decide(ctx, status, page),
    after === undefined && !quiet ? firstTargets(ctx, fact, e) : { homes: [], lists: [] },
  ])
  const all = { homes: [...first.homes, ...decided.homes], lists: [...first.lists, ...decided.lists] }
  const told = edited === undefined ? await fill(ctx, all, { id, original: fact.reblog_of_id }, fact.author_id) : all
  if (!quiet) {
    await tellPeople(ctx, told.homes, { e, id })
    tellLists(
      ctx,
      told.lists.map((list) => list.id),
      { e, id },
    )
  }
  await ctx.faults.reach('fanout.batch')
})
