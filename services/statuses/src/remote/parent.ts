/**
 * Finds parents of remote statuses, queues fetching unknown ones, and links replies that were received before their
 * parent.
 */
import { createHash } from 'node:crypto'
import type { AccountRecord } from '@murmuration/contracts/accounts'
import { fetchParent, type RemoteStatus, statusInvalidation } from '@murmuration/contracts/statuses'
import type { Reader, Tx } from '@murmuration/db'
import { canonicalAddress } from '@murmuration/text/own-address'
import { holdLinkedReplies, waitingFor } from '../approval/index.js'
import type { Context } from '../context.js'
import { idByAddress } from '../core/address/find.js'
import { localContextId, localStatusId } from '../core/address/rules.js'
import { linkApprovalsToParent } from '../core/reply/approval.store.js'
import { replyPolicyOf } from '../core/reply/policy.store.js'
import {
  awaitParent,
  type LateParent,
  MAX_LINKED,
  recentAmong,
  setParent,
  takeAwaiting,
} from '../core/reply/thread.store.js'
import { addTo } from '../core/status/count.store.js'
import { fanOutLate } from '../core/status/new-status.js'
import { isOfOrigin, oldestRecent } from '../core/status/remote.rules.js'
import { openAmong, rowOf, type StatusRow } from '../core/status/store.js'
import { isHiddenFrom, isOpen } from '../core/visibility/named-status.js'
import { levelOf } from '../core/visibility/rules.js'
import { lockUris } from './store.js'

/**
 * Local conversation that a document names by its address; null if it started with a status that is hidden from the
 * author.
 */
export const ownConversation = async (
  ctx: Context,
  author: AccountRecord,
  uri: string | null,
): Promise<string | null> => {
  const root = uri === null ? null : localContextId(ctx.site.origin, canonicalAddress(ctx, uri))
  const row = root === null ? null : await rowOf(ctx.db, root)
  return row?.local && !(await isHiddenFrom(ctx, author.id, row)) ? row.conversation_id : null
}

const statusAt = async (ctx: Context, db: Reader, uri: string | null): Promise<StatusRow | null> => {
  const id = uri === null ? null : await idByAddress(ctx, db, uri)
  return id ? rowOf(db, id) : null
}

/** The status with this uri; of a boost, the original. Null if unknown or deleted. */
export const parentOf = async (ctx: Context, db: Reader, uri: string | null): Promise<StatusRow | null> => {
  const row = await statusAt(ctx, db, uri)
  return row?.reblog_of_id ? rowOf(db, row.reblog_of_id) : row
}

/**
 * Page of a status on its own server if it differs from its id, because replies may name the status by it; otherwise
 * null.
 */
export const pageOf = ({ url, uri }: Pick<RemoteStatus, 'url' | 'uri'>): string | null =>
  url !== null && url !== uri && isOfOrigin(url, uri) ? url : null

/**
 * Parent of a new status, whether the reply must be held, and the uri of a parent that may be received later. A local
 * parent cannot be received later, so a reply to a hidden or missing local status never gets a parent.
 */
export const parentStateOf = async (ctx: Context, status: RemoteStatus, author: AccountRecord) => {
  const uri = status.in_reply_to
  const named = await statusAt(ctx, ctx.db, uri)
  const parent = named?.reblog_of_id ? await rowOf(ctx.db, named.reblog_of_id) : named
  const isHidden = named !== null && (await isHiddenFrom(ctx, author.id, named))
  if (isHidden || parent === null) {
    const isOwn = isHidden || (uri !== null && localStatusId(ctx.site.origin, canonicalAddress(ctx, uri)) !== null)
    return { parent: null, waiting: null, awaits: isOwn ? null : uri }
  }
  return { parent, waiting: await waitingFor(ctx, author, parent, levelOf(status.visibility)), awaits: null }
}

/**
 * Links replies that were received before this status, and adds recent ones to feeds. Returns the ids of the linked
 * replies.
 * @param holds `approvesReplies`: the author approves replies; `held`: the status itself is held
 */
export const linkWaitingReplies = async (
  ctx: Context,
  tx: Tx,
  uri: string,
  parent: LateParent,
  holds: { approvesReplies: boolean; held: boolean },
): Promise<string[]> => {
  const taken = await takeAwaiting(tx, uri)
  // More replies may wait. The job finds the stored parent, and links the next ones.
  if (taken.length === MAX_LINKED) await ctx.queue(tx, fetchParent, { uri, depth: 1 })
  // A status may name its own address as that of its parent. It is not a reply to itself.
  const waiting = taken.filter((id) => id !== parent.id)
  await setParent(tx, parent, waiting)
  await linkApprovalsToParent(tx, parent.id, waiting)
  await holdLinkedReplies(ctx, tx, waiting, { author: parent.author_id, ...holds })
  const counted = await openAmong(tx, waiting)
  if (counted > 0) await addTo(tx, 'replies', parent.id, counted)
  await fanOutLate(ctx, tx, await recentAmong(tx, waiting, oldestRecent(ctx.clock.now())))
  return waiting
}

/** Links replies that name their parent by an address which is not its ActivityPub id. */
export const adoptByAddress = async (ctx: Context, address: string, id: string): Promise<void> => {
  const adopted = await ctx.db.tx(async (tx) => {
    await lockUris(tx, [address])
    const found = await rowOf(tx, id)
    const parent = found?.reblog_of_id ? await rowOf(tx, found.reblog_of_id) : found
    // Waiting replies are linked to a local status only if it is public or unlisted.
    if (!parent || (parent.local && !isOpen(parent))) return []
    const holds = { approvesReplies: (await replyPolicyOf(tx, parent.id)) !== null, held: parent.held !== null }
    return linkWaitingReplies(ctx, tx, address, parent, holds)
  })
  if (adopted.length) ctx.invalidations.send(statusInvalidation, adopted)
}

export const asParent = (row: StatusRow) => ({
  id: row.id,
  authorId: row.author_id,
  inReplyToAccountId: row.in_reply_to_account_id,
  conversationId: row.conversation_id,
})

/**
 * Queues fetching an unknown parent. The first waiting reply always queues it, later ones at most once in ten minutes.
 * Many replies to an unreachable server therefore cause few requests, and the parent is found after the server is back.
 */
export const queueParentFetch = async (
  ctx: Context,
  tx: Tx,
  parent: { uri: string; depth: number },
  child: string,
): Promise<void> => {
  const isFirst = await awaitParent(tx, parent.uri, child)
  if (parent.depth <= 0) return
  if (isFirst) return ctx.queue(tx, fetchParent, parent)
  // The job id contains a digest of the address, because addresses may be too long.
  const id = createHash('sha256').update(parent.uri).digest('base64url')
  tx.onCommit(() => {
    ctx.queues
      .push(fetchParent, { id, data: parent })
      .catch((error: unknown) => ctx.log.warn({ error }, 'a missing parent was not queued for fetching'))
  })
}
