/** Event handlers for statuses, boosts, quotes and favourites. */
import { notifyBoostersJob, notifyFollowersJob, notifyQuotersJob } from '@murmuration/contracts/notifications'
import {
  favouriteCreated,
  favouriteRemoved,
  quoteAccepted,
  statusCreated,
  statusDeleted,
  statusEdited,
} from '@murmuration/contracts/statuses'
import { memoize } from '@murmuration/flow'
import type { ReactionEvent } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { react, reactAll } from '../handlers.js'
import { type Candidate, sources } from './candidate.js'
import { followersToNotify } from './followers.js'
import { queueNextPage } from './next-page.js'
import { notify } from './notify.js'
import { undo, undoStatus } from './undo.js'

type Created = ReactionEvent<typeof statusCreated>

/** Maximum number of mentioned accounts that one remote status notifies. */
const MAX_MENTIONED = 50

type Mentioning = Pick<Created, 'id' | 'local' | 'visibility' | 'mentions' | 'at'> & {
  inReplyToAuthor?: string | null | undefined
}

/** Mention notifications of a new status, or of an edit that added the mentions in `added`. */
const mention = (e: Mentioning, added: readonly string[] = e.mentions): Candidate => {
  const mentioned = e.local ? e.mentions : e.mentions.slice(0, MAX_MENTIONED)
  return {
    type: 'mention',
    recipients: mentioned.filter((id) => added.includes(id)),
    participants: [...e.mentions, ...(e.inReplyToAuthor ? [e.inReplyToAuthor] : [])],
    direct: e.visibility === 'direct',
    source: sources.status(e.id),
    status: e.id,
    at: e.at,
  }
}

const boost = (e: Created): Candidate => ({
  type: 'reblog',
  recipients: e.reblogOfAuthor !== null && e.reblogOfLocal ? [e.reblogOfAuthor] : [],
  source: sources.status(e.id),
  status: e.reblogOf,
  at: e.at,
})

/** Whether followers are notified of a status: a direct status and a reply to another account notify no follower. */
const concernsFollowers = (e: Created): boolean =>
  e.visibility !== 'direct' && (e.inReplyTo === null || e.inReplyToAuthor === e.author)

type Page = Awaited<ReturnType<typeof followersToNotify>>
const EMPTY: Page = { ids: [], next: null }

/**
 * Notifies accounts of one status or boost. The first page of followers is notified here, further pages by a job.
 * Statuses that were fetched, not delivered (`push` false), are skipped.
 */
const notifyOf = async (ctx: Context, e: Created, followers: (author: string) => Promise<Page>): Promise<void> => {
  if (!e.push) return
  if (e.reblogOf !== null) return notify(ctx, e, e.author, [boost(e)])
  const page = concernsFollowers(e) ? await followers(e.author) : EMPTY
  const status: Candidate = {
    type: 'status',
    recipients: page.ids,
    source: sources.status(e.id),
    status: e.id,
    at: e.at,
  }
  const { next } = page
  if (next !== null)
    await queueNextPage(ctx, e, notifyFollowersJob, { status: e.id, author: e.author, after: next, at: e.at })
  await notify(ctx, e, e.author, [mention(e), status])
}

/** Notifies mentioned accounts, followers who enabled notifications for each status, and the author of a boosted status. */
export const onStatusCreated = reactAll(statusCreated, 'on-status-created', async (ctx, events) => {
  // The followers are loaded once per author, because most events of a large batch have few authors.
  const followers = memoize(
    (author: string) => followersToNotify(ctx, author),
    (author) => author,
  )
  await Promise.all(events.map((e) => notifyOf(ctx, e, followers)))
})

/** Notifies accounts that an edit newly mentions. Queues jobs that notify local accounts that boosted or quoted the status. */
export const onStatusEdited = react(statusEdited, 'on-status-edited', async (ctx, e) => {
  if (e.visibility !== 'direct') {
    const page = { status: e.id, author: e.author, at: e.at }
    await queueNextPage(ctx, e, notifyBoostersJob, page)
    await queueNextPage(ctx, { ...e, consumer: `${e.consumer}:quoters` }, notifyQuotersJob, page)
  }
  await notify(ctx, e, e.author, [mention(e, e.added ?? [])])
})

/** Removes the notifications about a deleted status or boost. */
export const onStatusDeleted = react(statusDeleted, 'on-status-deleted', (ctx, e) => undoStatus(ctx, e.id))

/** Notifies the author of a quoted status when the quote was accepted. */
export const onQuoteAccepted = react(quoteAccepted, 'on-quote-accepted', async (ctx, e) => {
  if (!e.push || !e.quotedLocal) return
  await notify(ctx, e, e.author, [
    { type: 'quote', recipients: [e.quotedAuthor], source: sources.status(e.status), status: e.status, at: e.at },
  ])
})

/** Notifies the author of a favourited status. */
export const onFavouriteCreated = react(favouriteCreated, 'on-favourite-created', async (ctx, e) => {
  if (!e.authorLocal) return
  await notify(ctx, e, e.by, [
    { type: 'favourite', recipients: [e.author], source: sources.favourite(e.id), status: e.status, at: e.at },
  ])
})

/** Removes the notification about a favourite that was undone. */
export const onFavouriteRemoved = react(favouriteRemoved, 'on-favourite-removed', async (ctx, e) => {
  if (e.authorLocal) await undo(ctx, sources.favourite(e.id))
})
