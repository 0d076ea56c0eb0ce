/** The people a status mentions are told, followers who asked for it, and the author of what was boosted. */

import { tellFollowersJob } from '@murmuration/contracts/notifications'
import { statusCreated } from '@murmuration/contracts/statuses'
import type { ReactionEvent } from '@murmuration/kernel'
import { followersToTell } from '../changes/followers.js'
import { type News, sources } from '../changes/news.js'
import { goOn } from '../changes/next-page.js'
import { notify } from '../changes/notify.js'
import { react } from '../doors.js'

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

export const onStatusCreated = react(statusCreated, 'on-status-created', async (ctx, e) => {
  if (!e.push) return
  if (e.reblogOf !== null) return notify(ctx, e, e.author, [boost(e)])
  const page = concernsFollowers(e) ? await followersToTell(ctx, e.author) : { ids: [], next: null }
  const status: News = { type: 'status', recipients: page.ids, source: sources.status(e.id), status: e.id, at: e.at }
  await notify(ctx, e, e.author, [mention(e), status])
  const { next } = page
  if (next !== null) await goOn(ctx, e, tellFollowersJob, { status: e.id, author: e.author, after: next, at: e.at })
})
