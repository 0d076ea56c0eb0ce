/** Puts a status into the feeds of a page of followers, and on the first page also before everybody who watches live. */
import { fanOut as contract, type LiveMessage } from '@murmuration/contracts/statuses'
import { tellLists, tellPeople, tellPublic } from '../changes/live.js'
import { asReceivers, feedStatus, followerPage, ownLists } from '../changes/receivers.js'
import type { Context } from '../context.js'
import { placesFor } from '../domain/feed.js'
import { work } from '../doors.js'
import { type Fact, factsOf } from '../store/fact.js'
import { type Entry, homeKey, listKey, putInto } from '../store/feed.js'

interface Target {
  key: string
  home?: string
  list?: string
}
type Event = Extract<LiveMessage['e'], 'update' | 'status.update'>

const homeOf = (account: string): Target => ({ key: homeKey(account), home: account })
const listOf = (owner: string, list: string): Target => ({ key: listKey(owner, list), list })

/** The author’s own feeds, and public streams: no follower is needed for them. */
const firstTargets = async (ctx: Context, fact: Fact, e: Event): Promise<Target[]> => {
  if (fact.visibility === 0 && fact.reblog_of_id === null && fact.silenced === false)
    tellPublic(ctx, fact, { e, id: fact.id, local: fact.local, media: fact.media_ids.length > 0 })
  if (!fact.local) return []
  return [homeOf(fact.author_id), ...(await ownLists(ctx, fact.author_id)).map((list) => listOf(fact.author_id, list))]
}

/** Fills the feeds; gives those targets whose people may be told. */
const fill = async (ctx: Context, targets: readonly Target[], entry: Entry, author: string): Promise<Target[]> => {
  const keys = new Set(
    await putInto(
      ctx.redis,
      targets.map((target) => target.key),
      entry,
      ctx.feedRules,
    ),
  )
  // The author’s own feed was filled when they were answered, so it refuses; their connections are told all the same.
  return targets.filter((target) => keys.has(target.key) || target.home === author)
}

const tell = async (ctx: Context, targets: readonly Target[], message: LiveMessage): Promise<void> => {
  await tellPeople(ctx, [...new Set(targets.flatMap((target) => target.home ?? []))], message)
  tellLists(
    ctx,
    targets.flatMap((target) => target.list ?? []),
    message,
  )
}

export const fanOut = work(contract, async (ctx, { status: id, after, edited }) => {
  const facts = await factsOf(ctx.db, null, [id])
  const fact = facts.get(id)
  const original = fact?.reblog_of_id ? facts.get(fact.reblog_of_id) : undefined
  if (!fact || (fact.reblog_of_id !== null && !original)) return
  const status = feedStatus(fact, original)
  const page = await followerPage(ctx, status, after)
  if (page.next !== null)
    await ctx.queues.push(contract, {
      id: `${id}:${edited ?? 0}:${page.next}`,
      data: { status: id, after: page.next, edited },
    })
  const e = edited === undefined ? 'update' : 'status.update'
  const [receivers, first] = await Promise.all([
    asReceivers(ctx, status, page.followers),
    after === undefined ? firstTargets(ctx, fact, e) : [],
  ])
  const targets = receivers.flatMap((receiver): Target[] => {
    const places = placesFor(status, receiver)
    return [...(places.home ? [homeOf(receiver.id)] : []), ...places.lists.map((list) => listOf(receiver.id, list))]
  })
  const all = [...first, ...targets]
  const told = edited === undefined ? await fill(ctx, all, { id, original: fact.reblog_of_id }, fact.author_id) : all
  await tell(ctx, told, { e, id })
  await ctx.faults.reach('fanout.batch')
})
