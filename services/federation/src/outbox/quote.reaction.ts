/** Event handlers that request approval of local quotes and replies, and that revoke approvals of quotes (FEP-044f). */

import { writeCreateForApproval } from '@murmuration/activitypub/vocabulary/write-activity'
import {
  quoteRequestUri,
  writeDeleteOfAuthorization,
  writeQuoteRequest,
} from '@murmuration/activitypub/vocabulary/write-quote'
import { quoteRequested, quoteRevoked, replyRequested } from '@murmuration/contracts/statuses'
import { statusUriOf } from '../core/activity/compaction.rules.js'
import { sourcesOf } from '../core/address/local.js'
import { noteSource } from '../core/note/view.js'
import { react } from '../handlers.js'
import { inboxOf, recordsOf } from './audience.js'
import { pairOf, sendActivity } from './direct-activity.js'
import { publish } from './publish.js'
import { aboutStatus } from './status.js'

/** Publishes the QuoteRequest to the author of a remote status that a local account quotes. */
export const onQuoteRequested = react(quoteRequested, 'on-quote-requested', async (ctx, e) => {
  const pair = await pairOf(ctx, e.author, e.quotedAuthor)
  const { sources, accounts } = await sourcesOf(ctx, [e.status])
  const note = sources[0] && !sources[0].deleted ? noteSource(sources[0], accounts, ctx.site) : null
  if (pair === null || note === null) return
  const { our, their } = pair
  await sendActivity(ctx, {
    actorId: our.id,
    seq: e.eventId,
    activity: writeQuoteRequest({
      id: quoteRequestUri(our.uri, e.status),
      note,
      quoted: e.quotedUri,
      quotedAuthor: their.uri,
    }),
    // The QuoteRequest contains the quoting status, so its recipient must also receive the Delete of that status.
    about: statusUriOf(e.statusUri),
    their,
  })
})

/**
 * Publishes the Delete of the authorization of a quote to the servers that received the quoting or the quoted status.
 */
export const onQuoteRevoked = react(quoteRevoked, 'on-quote-revoked', async (ctx, e) => {
  if (!e.quotedLocal || e.stamp === null) return
  const accounts = await recordsOf(ctx, [e.quotedAuthor, e.author])
  const our = accounts.get(e.quotedAuthor)
  const quoter = accounts.get(e.author)
  if (!our) return
  const activity = writeDeleteOfAuthorization({
    uri: e.stamp,
    author: our.uri,
    status: e.statusUri,
    quoted: e.quotedUri,
  })
  const inbox = quoter ? inboxOf(quoter) : null
  await publish(ctx, {
    actorId: our.id,
    seq: e.eventId,
    activity,
    uri: activity.id,
    kind: 'Delete',
    about: e.stamp,
    inboxes: inbox === null ? [] : [inbox],
    reachedBy: [e.statusUri, e.quotedUri].map(statusUriOf),
  })
})

/**
 * Publishes a held reply to the author of its parent only. After the approval, the reply is sent to its whole
 * audience.
 */
export const onReplyRequested = react(replyRequested, 'on-reply-requested', async (ctx, e) => {
  const pair = await pairOf(ctx, e.author, e.answered)
  const readAfter = ctx.ids.next()
  const { sources, accounts } = await sourcesOf(ctx, [e.id])
  const [source] = sources
  // A reply that is no longer held was approved. Another reaction sends it to its whole audience.
  if (pair === null || pair.our.suspended || !source?.held || source.deleted) return
  const note = noteSource(source, accounts, ctx.site)
  const inbox = inboxOf(pair.their)
  if (note === null || inbox === null) return
  const activity = writeCreateForApproval(note)
  await publish(ctx, {
    ...aboutStatus(e, source, activity),
    readAfter,
    inboxes: [inbox],
  })
})
