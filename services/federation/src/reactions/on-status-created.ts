/** Sends new statuses and boosts of ours to everybody elsewhere who may see them. */

import { statusCreated } from '@murmuration/contracts/statuses'
import type { ReactionEvent } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { mayLeave, statusInboxes } from '../delivery/audience.js'
import { publish } from '../delivery/publish.js'
import { announceToRelays, relayInboxes } from '../delivery/relay.js'
import { aboutStatus, factsOf } from '../delivery/status.js'
import { statusThing } from '../domain/compaction.js'
import { isRelayed } from '../domain/relay.js'
import { reactAll } from '../doors.js'
import { hasRelays } from '../store/relay.js'
import { sourcesOf } from '../views/local.js'
import { activityDocument, type People, showsOwn } from '../views/note.js'

type Created = ReactionEvent<typeof statusCreated>
type Source = Awaited<ReturnType<typeof sourcesOf>>['sources'][number]

/** Whom a status is for, as its news tell. People who are named silently are those whom it quotes. */
const toldOf = (e: Created) => ({
  visibility: e.visibility,
  author: e.author,
  mentions: e.quotedAuthor ? [...e.mentions, e.quotedAuthor] : e.mentions,
  inReplyToAuthor: e.inReplyToAuthor,
  reblogOfAuthor: e.reblogOfAuthor,
  quotedAuthor: e.quotedAuthor ?? null,
})

/** Those that have somewhere to go; of news of an older release nothing is known. */
const leaving = async (ctx: Context, events: readonly Created[]): Promise<Created[]> => {
  const relays = await hasRelays(ctx.db)
  const isSure = (e: Created) =>
    e.quotedAuthor === undefined || (relays && isRelayed({ visibility: e.visibility, reblog_of: e.reblogOf }))
  const unsure = events.filter((e) => !isSure(e))
  const going = new Set(await mayLeave(ctx, unsure, toldOf))
  return events.filter((e) => isSure(e) || going.has(e))
}

interface Read {
  byId: ReadonlyMap<string, Source>
  people: People
  readAfter: string
}

const send = async (ctx: Context, e: Created, { byId, people, readAfter }: Read): Promise<void> => {
  const source = byId.get(e.id)
  // Deleted already: its deletion needs nothing from here.
  if (!source || source.deleted || people.get(source.author)?.suspended !== false) return
  const boosts = byId.get(source.reblog_of ?? '')
  const activity = activityDocument(source, people, ctx.site, boosts)
  if (activity === null) return
  const shown =
    boosts && typeof activity.object === 'object' ? { shows: { id: boosts.id, uri: statusThing(boosts.uri) } } : {}
  await publish(ctx, {
    ...aboutStatus(e, source, activity),
    ...shown,
    readAfter,
    forFollowers: source.visibility === 'private',
    inboxes: [...(await statusInboxes(ctx, factsOf(source), people)), ...(await relayInboxes(ctx, source))],
  })
  await announceToRelays(ctx, source, e.eventId)
}

const isOwn = (e: Created): boolean =>
  showsOwn({ author: e.author, reblog_of_author: e.reblogOfAuthor, visibility: e.visibility })

/** In hand at the same time; each is published in a transaction of its own. */
const AT_ONCE = 32

export const onStatusCreated = reactAll(
  statusCreated,
  'on-status-created',
  async (ctx, all) => {
    const events = await leaving(
      ctx,
      all.filter((e) => e.local),
    )
    const readAfter = ctx.ids.next()
    const { sources, people } = await sourcesOf(
      ctx,
      events.flatMap((e) => (e.reblogOf !== null && isOwn(e) ? [e.id, e.reblogOf] : [e.id])),
    )
    const byId = new Map(sources.map((source) => [source.id, source]))
    const authors = Map.groupBy(events, (e) => e.author).values()
    await Promise.all(
      [...authors].map(async (own) => {
        // What one author says goes out in its order.
        for (const e of own) await send(ctx, e, { byId, people, readAfter })
      }),
    )
  },
  { concurrency: AT_ONCE },
)
