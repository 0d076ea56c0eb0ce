/** Event handlers that publish statuses: created, edited, refreshed and deleted. */

import {
  bare,
  type OutgoingActivity,
  writeDeleteOfNote,
  writeUndo,
  writeUpdateOfNote,
} from '@murmuration/activitypub/vocabulary/write-activity'
import { statusCreated, statusDeleted, statusEdited, statusRefreshed } from '@murmuration/contracts/statuses'
import type { ReactionEvent } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { statusUriOf } from '../core/activity/compaction.rules.js'
import { activityText, isDeletePublished, wasPublished } from '../core/activity/store.js'
import { sourcesOf } from '../core/address/local.js'
import { deleteReaders, readersOf } from '../core/host/reader.store.js'
import { type AccountsById, activityDocument, noteSource, showsOwn } from '../core/note/view.js'
import { isRelayed } from '../core/relay/rules.js'
import { hasRelays } from '../core/relay/store.js'
import { react, reactAll } from '../handlers.js'
import { recordsOf, statusInboxes, withRemoteRecipients } from './audience.js'
import { sendMissedDeletes } from './late-recipient.js'
import { publish } from './publish.js'
import { announceToRelays, relayInboxes } from './relay.js'
import { aboutStatus, reachInputOf } from './status.js'
import { recipientsOfUpdate } from './update-recipients.js'

type Created = ReactionEvent<typeof statusCreated>
type Source = Awaited<ReturnType<typeof sourcesOf>>['sources'][number]

/** Audience of a status by its event. The author of the quoted status counts as mentioned. */
const audienceOfEvent = (e: Created) => ({
  visibility: e.visibility,
  author: e.author,
  mentions: e.quotedAuthor ? [...e.mentions, e.quotedAuthor] : e.mentions,
  inReplyToAuthor: e.inReplyToAuthor,
  reblogOfAuthor: e.reblogOfAuthor,
  quotedAuthor: e.quotedAuthor ?? null,
})

/**
 * Events whose status may have a remote recipient. Events of an older release (without `quotedAuthor`) always count.
 */
const leaving = async (ctx: Context, events: readonly Created[]): Promise<Created[]> => {
  const relays = await hasRelays(ctx.db)
  const isSure = (e: Created) =>
    e.quotedAuthor === undefined || (relays && isRelayed({ visibility: e.visibility, reblog_of: e.reblogOf }))
  const unsure = events.filter((e) => !isSure(e))
  const going = new Set(await withRemoteRecipients(ctx, unsure, audienceOfEvent))
  return events.filter((e) => isSure(e) || going.has(e))
}

interface Read {
  byId: ReadonlyMap<string, Source>
  accounts: AccountsById
  readAfter: string
}

const send = async (ctx: Context, e: Created, { byId, accounts, readAfter }: Read): Promise<void> => {
  const source = byId.get(e.id)
  // A deleted status, or one of a suspended account, is not sent.
  if (!source || source.deleted || accounts.get(source.author)?.suspended !== false) return
  const boosts = byId.get(source.reblog_of ?? '')
  const activity = activityDocument(source, accounts, ctx.site, boosts)
  if (activity === null) return
  const shown =
    boosts && typeof activity.object === 'object' ? { shows: { id: boosts.id, uri: statusUriOf(boosts.uri) } } : {}
  await publish(ctx, {
    ...aboutStatus(e, source, activity),
    ...shown,
    readAfter,
    forFollowers: source.visibility === 'private',
    inboxes: [...(await statusInboxes(ctx, reachInputOf(source), accounts)), ...(await relayInboxes(ctx, source))],
  })
  await announceToRelays(ctx, source, e.eventId)
}

const isOwn = (e: Created): boolean =>
  showsOwn({ author: e.author, reblog_of_author: e.reblogOfAuthor, visibility: e.visibility })

/**
 * Maximum number of authors whose statuses are published at once. Each status is published in a transaction of its own.
 */
const AT_ONCE = 32

/** Publishes new local statuses and reblogs to remote accounts that may see them. */
export const onStatusCreated = reactAll(
  statusCreated,
  'on-status-created',
  async (ctx, all) => {
    const events = await leaving(
      ctx,
      all.filter((e) => e.local),
    )
    const readAfter = ctx.ids.next()
    const { sources, accounts } = await sourcesOf(
      ctx,
      events.flatMap((e) => (e.reblogOf !== null && isOwn(e) ? [e.id, e.reblogOf] : [e.id])),
    )
    const byId = new Map(sources.map((source) => [source.id, source]))
    const authors = Map.groupBy(events, (e) => e.author).values()
    await Promise.all(
      [...authors].map(async (own) => {
        // The statuses of one author are sent one after the other, so that their activities are stored in order.
        for (const e of own) await send(ctx, e, { byId, accounts, readAfter })
      }),
    )
  },
  { concurrency: AT_ONCE },
)

/** Publishes an edit to recipients and readers that may see the status, and to newly mentioned accounts. */
export const onStatusEdited = react(statusEdited, 'on-status-edited', async (ctx, e) => {
  if (!e.local || e.reblogOf !== null) return
  const readAfter = ctx.ids.next()
  const { sources, accounts } = await sourcesOf(ctx, [e.id])
  const [source] = sources
  if (!source || source.deleted || accounts.get(source.author)?.suspended !== false) return
  const note = noteSource(source, accounts, ctx.site)
  if (note === null) return
  // The id of the Update contains the time of the last edit, so two edits close together are sent once.
  const activity = writeUpdateOfNote(note, source.edited_at ?? e.editedAt)
  await publish(ctx, {
    ...aboutStatus(e, source, activity),
    readAfter,
    ...(await recipientsOfUpdate(ctx, source, accounts)),
  })
})

/** Publishes the Update of a status whose approval or policy changed, to recipients and readers that may see it. */
export const onStatusRefreshed = react(statusRefreshed, 'on-status-refreshed', async (ctx, e) => {
  const readAfter = ctx.ids.next()
  const { sources, accounts } = await sourcesOf(ctx, [e.id])
  const [source] = sources
  if (!source?.local || source.deleted || accounts.get(source.author)?.suspended !== false) return
  const note = noteSource(source, accounts, ctx.site)
  if (note === null) return
  const activity = writeUpdateOfNote(note, new Date(e.at).toISOString())
  await publish(ctx, {
    ...aboutStatus(e, source, activity),
    readAfter,
    ...(await recipientsOfUpdate(ctx, source, accounts)),
  })
})

/** Publishes the Delete of a status, or the Undo of a reblog, to all recipients. */
export const onStatusDeleted = react(statusDeleted, 'on-status-deleted', async (ctx, e) => {
  if (!e.local) return
  const accounts = await recordsOf(ctx, [e.author])
  const author = accounts.get(e.author)
  // The Delete of an account includes all its statuses, so the statuses get no Delete of their own (F054).
  if (!author || (await isDeletePublished(ctx.db, author.uri))) {
    await deleteReaders(ctx.db, e.id)
    return
  }
  const about = statusUriOf(e.uri)
  const common = { actorId: e.author, seq: e.eventId, about }
  if (e.reblogOf !== null) {
    const text = await activityText(ctx.db, `${about}/activity`)
    // The Undo of a reblog that was not sent is only stored. The stored Undo prevents that the reblog is sent later.
    const activity = text === null ? null : writeUndo(bare(JSON.parse(text) as OutgoingActivity))
    await publish(ctx, { ...common, activity, uri: `${about}/activity#undo`, kind: 'Undo', receivers: 'reached' })
    return
  }
  const readers = await readersOf(ctx.db, e.id)
  // The Delete of a status that was neither sent nor fetched is only stored. The stored Delete prevents that the status is
  // sent later.
  const isKnown = readers.inboxes.length > 0 || readers.allRecipients || (await wasPublished(ctx.db, about))
  const activity = writeDeleteOfNote({ uri: about, actor: author.uri })
  const isNew = await publish(ctx, {
    ...common,
    activity: isKnown ? activity : null,
    uri: activity.id,
    kind: 'Delete',
    inboxes: readers.inboxes,
    receivers: 'reached',
    toAllRecipients: readers.allRecipients,
  })
  // Readers that were added since the first query. Readers that are added later get the Delete from `recordReaders`
  // (`reader.ts`).
  const late = await readersOf(ctx.db, e.id)
  const missed = isNew ? late.inboxes.filter((inbox) => !readers.inboxes.includes(inbox)) : late.inboxes
  if (missed.length > 0 || late.allRecipients)
    await sendMissedDeletes(ctx, [{ uri: about, author: e.author }], {
      inboxes: missed,
      toAllRecipients: late.allRecipients,
    })
  await deleteReaders(ctx.db, e.id)
})
