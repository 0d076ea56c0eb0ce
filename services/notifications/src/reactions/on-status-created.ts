/** The people a status mentions are told, followers who asked for it, and the author of what was boosted. */

import { tellFollowersJob } from '@murmuration/contracts/notifications'
import { statusCreated } from '@murmuration/contracts/statuses'
import type { ReactionEvent } from '@murmuration/kernel'
import { followersToTell } from '../changes/followers.js'
import { type News, sources } from '../changes/news.js'
import { goOn } from '../changes/next-page.js'
import { notify } from '../changes/notify.js'
import type { Context } from '../context.js'
import { reactAll } from '../doors.js'

type Created = ReactionEvent<typeof statusCreated>

/** Remote statuses may name any number of people; so many of them are told. */
const MOST_MENTIONED = 50

const mention = (e: Created): News => ({
  type: 'mention',
  recipients: e.local ? e.mentions : e.mentions.slice(0, MOST_MENTIONED),
  participants: [...e.mentions, ...(e.inReplyToAuthor === null ? [] : [e.inReplyToAuthor])],
  direct: e.visibility === 'direct',
  source: sources.status(e.id),
  status: e.id,
  at: e.at,
})

const boost = (e: Created): News => ({
  type: 'reblog',
  recipients: e.reblogOfAuthor !== null && e.reblogOfLocal ? [e.reblogOfAuthor] : [],
  source: sources.status(e.id),
  status: e.reblogOf,
  at: e.at,
})

/** Followers are told of originals and of answers to oneself (facts: behaviours 11). */
const concernsFollowers = (e: Created): boolean =>
  e.visibility !== 'direct' && (e.inReplyTo === null || e.inReplyToAuthor === e.author)

type Page = Awaited<ReturnType<typeof followersToTell>>
const NOBODY: Page = { ids: [], next: null }

const tellOf = async (ctx: Context, e: Created, followers: (author: string) => Promise<Page>): Promise<void> => {
  if (!e.push) return
  if (e.reblogOf !== null) return notify(ctx, e, e.author, [boost(e)])
  const page = concernsFollowers(e) ? await followers(e.author) : NOBODY
  const status: News = { type: 'status', recipients: page.ids, source: sources.status(e.id), status: e.id, at: e.at }
  await notify(ctx, e, e.author, [mention(e), status])
  const { next } = page
  if (next !== null) await goOn(ctx, e, tellFollowersJob, { status: e.id, author: e.author, after: next, at: e.at })
}

export const onStatusCreated = reactAll(statusCreated, 'on-status-created', async (ctx, events) => {
  // Of a flood most come from few authors, whose followers are asked for once.
  const asked = new Map<string, Promise<Page>>()
  const followers = (author: string): Promise<Page> => {
    const page = asked.get(author) ?? followersToTell(ctx, author)
    asked.set(author, page)
    return page
  }
  await Promise.all(events.map((e) => tellOf(ctx, e, followers)))
})
