/**
 * Edits remote statuses. A newer version replaces the stored one. Without a newer edit time only counts, policies,
 * approvals and access change. An edit time that equals the publication time counts as newer than no edit time, because
 * many servers send whole seconds.
 */

import { isDeepStrictEqual } from 'node:util'
import type { AccountRecord } from '@murmuration/contracts/accounts'
import { attachmentRecords } from '@murmuration/contracts/media'
import { type RemoteStatus, statusInvalidation } from '@murmuration/contracts/statuses'
import type { Tx } from '@murmuration/db'
import { readTime } from '@murmuration/text'
import { claimsOther, recheckBelow, syncApproval } from '../approval/index.js'
import type { Context } from '../context.js'
import { deletePoll, insertPoll, pollsOf, resetPoll, tallyPoll } from '../core/poll/store.js'
import type { Quoting } from '../core/quote/quote.js'
import { policyBits } from '../core/quote/rules.js'
import { quotesOf } from '../core/quote/store.js'
import { putReplyPolicy, replyPolicyOf } from '../core/reply/policy.store.js'
import { applyEdit, type Described, differs, type Version, versionOf } from '../core/status/edit.js'
import { setEditedAt } from '../core/status/edit.store.js'
import { insertMentions, type Mention } from '../core/status/mention.store.js'
import { isEditNewer } from '../core/status/remote.rules.js'
import { lockForChange, renewRevision, rowOf, type StatusRow, setQuotePolicy } from '../core/status/store.js'
import { lockUri } from '../core/status/tombstone.store.js'
import { addLateMentions, endUnreachedOf, storeUnreached } from '../mention/index.js'
import { undoEnd } from '../poll/index.js'
import { quotingOf, syncQuote } from '../quote/index.js'
import { emojisOf, mediaOf, remotePollOf, tagsOf, usableAttachments } from './parts.js'

/** `refreshed`: equal content, but other counts, policies, approval or audience. */
type Outcome = 'edited' | 'refreshed' | 'unchanged'

/** Stores the quote policy and the reply policy. Returns false if both are unchanged. */
const putPolicies = async (ctx: Context, tx: Tx, status: RemoteStatus, id: string): Promise<boolean> => {
  const quoting = await setQuotePolicy(tx, id, policyBits(status.quote_policy))
  const changesPolicy = await putReplyPolicy(tx, id, status.reply_policy ?? null)
  // After a change of the reply policy, some held replies may no longer need an approval, so they are checked again.
  if (changesPolicy) await recheckBelow(ctx, tx, [id], true)
  return changesPolicy || quoting > 0
}

/** Accounts that this version mentions and the stored version does not. */
const notNamed = (mentions: readonly Mention[], stored: readonly Mention[]): string[] =>
  mentions
    .filter((one) => !one.silent && !stored.some((known) => known.id === one.id && !known.silent))
    .map((one) => one.id)

/**
 * Whether the stored version of a status is newer than the received one. A version without an edit time counts as old
 * as its publication.
 */
const isReplaced = ({ edited_at }: RemoteStatus, row: StatusRow): boolean =>
  row.edited_at !== null &&
  (edited_at === null ? row.created_at.getTime() : readTime(edited_at)) < row.edited_at.getTime()

/**
 * True if the edit time does not distinguish this version from the first one. For such an edit time, only other content
 * makes the version an edit.
 */
const isAtCreation = (claimed: string, row: StatusRow): boolean =>
  row.edited_at === null && readTime(claimed) <= row.created_at.getTime()

/**
 * Locks the URI of the status, as quote requests do, if this version may get an authorization. As in a request, the URI
 * is locked before the rows.
 */
const lockQuote = async (tx: Tx, { uri }: RemoteStatus, quoting: Quoting | null): Promise<void> => {
  if (quoting?.allowed) await lockUri(tx, uri)
}

/**
 * Applies a version that is not newer than the stored one: adds access for further recipients, and updates poll,
 * policies, quote and approval.
 */
const refresh = async (
  ctx: Context,
  status: RemoteStatus,
  row: StatusRow,
  quoting: Quoting | null,
): Promise<Outcome> => {
  const fresh = status.mentions.filter((one) => !row.mentions.some((known) => known.id === one.id))
  const policy = policyBits(status.quote_policy)
  const tally = isReplaced(status, row)
    ? undefined
    : remotePollOf(row.poll_id ?? '', status, { status: row.id, author: row.author_id })
  const replyPolicy = status.reply_policy ?? null
  const isQuiet = fresh.length === 0 && (!tally || row.poll_id === null)
  if (
    isQuiet &&
    !row.has_quote &&
    policy === row.quote_policy &&
    isDeepStrictEqual(replyPolicy, await replyPolicyOf(ctx.db, row.id)) &&
    !(await claimsOther(ctx.db, status, row))
  )
    return 'unchanged'
  const isNew = await ctx.db.tx(async (tx) => {
    await lockQuote(tx, status, quoting)
    const now = (await lockForChange(tx, row.id, row.author_id)) && (await rowOf(tx, row.id))
    if (!now) return false
    // If a newer version was stored since the status was read, this version changes neither policies nor the quote.
    const counts = !isReplaced(status, now)
    const otherPolicy = counts && (await putPolicies(ctx, tx, status, row.id))
    const otherQuote = counts && (await syncQuote(ctx, tx, now, quoting, false))
    const otherApproval = counts && (await syncApproval(ctx, tx, row.id, status))
    // Further recipients get access by a silent mention.
    await insertMentions(
      tx,
      row.id,
      fresh.map((one) => ({ id: one.id, silent: true })),
    )
    // The status gets a new revision, because cached columns contain the mentions.
    if (fresh.length) await renewRevision(tx, row.id)
    const otherTally =
      counts &&
      tally !== undefined &&
      now.poll_id !== null &&
      (await tallyPoll(tx, now.poll_id, tally, isClosed(status)))
    return fresh.length > 0 || otherPolicy || otherQuote || otherApproval || otherTally
  })
  return isNew ? 'refreshed' : 'unchanged'
}

const isClosed = ({ poll }: RemoteStatus): boolean => poll?.closed === true

/** Applies an edit to the poll. Changed options reset the votes. Returns the poll's id and options. */
const editPoll = async (
  ctx: Context,
  tx: Tx,
  status: RemoteStatus,
  row: StatusRow,
): Promise<{ id: string | null; old: string[] | null; options: string[] | null; counted: boolean }> => {
  const known = row.poll_id === null ? undefined : (await pollsOf(tx, [row.poll_id])).get(row.poll_id)
  const next = remotePollOf(known?.id ?? ctx.ids.next(), status, { status: row.id, author: row.author_id })
  const old = known?.options ?? null
  if (!next) {
    if (known) {
      await undoEnd(ctx, tx, { id: known.id, status: row.id })
      await deletePoll(tx, known.id)
    }
    return { id: null, old, options: null, counted: known !== undefined }
  }
  const isSame =
    known && JSON.stringify(known.options) === JSON.stringify(next.options) && known.multiple === next.multiple
  // An unchanged poll whose end is now in the past was closed early by its server. The announcement of its end then
  // stays.
  const isRunning = next.expires_at === null || next.expires_at.getTime() > ctx.clock.now()
  if (known && (!isSame || isRunning))
    await undoEnd(ctx, tx, { id: known.id, status: row.id, ...(isSame ? { expiresAt: next.expires_at } : {}) })
  const counted = isSame ? await tallyPoll(tx, known.id, next, isClosed(status)) : true
  if (!known) await insertPoll(tx, next)
  else if (!isSame) await resetPoll(tx, known.id, next)
  return { id: next.id, old, options: next.options, counted }
}

/** Options of the stored poll and of this version; null if there is none. */
const optionsOf = async (tx: Tx, status: RemoteStatus, row: StatusRow) => {
  const stored = row.poll_id === null ? undefined : (await pollsOf(tx, [row.poll_id])).get(row.poll_id)
  const next = remotePollOf('', status, { status: row.id, author: row.author_id })
  return { old: stored?.options ?? null, next: next?.options ?? null }
}

const described = async (ctx: Context, ids: readonly string[]): Promise<Described[]> => {
  if (ids.length === 0) return []
  const { records } = await ctx.call(attachmentRecords, { ids: [...ids] })
  return ids.map((id) => ({ id, description: records.find((one) => one.id === id)?.description ?? null }))
}

/**
 * Whether this version has the edit time of the stored one and other content. The order of two versions with the same
 * edit time is unknown.
 */
const isTied = (ctx: Pick<Context, 'site'>, status: RemoteStatus, row: StatusRow): boolean => {
  if (status.edited_at === null || readTime(status.edited_at) !== row.edited_at?.getTime()) return false
  const seen = [status.html, status.spoiler_text, status.sensitive || status.spoiler_text !== '', status.language]
  const stored = [row.html, row.spoiler_text, row.sensitive, row.language]
  return !isDeepStrictEqual(seen, stored) || usableAttachments(ctx, status).length > 0 !== row.media_ids.length > 0
}

/**
 * Stores a version of a known status. `tied`: the version has the edit time of the stored version and other content,
 * and is not stored.
 */
export const editRemote = async (
  ctx: Context,
  status: RemoteStatus,
  row: StatusRow,
  author: AccountRecord,
): Promise<{ outcome: Outcome; tied?: boolean }> => {
  const quote = row.has_quote ? (await quotesOf(ctx.db, [row.id])).get(row.id) : undefined
  const quoting = await quotingOf(ctx, status, author, quote)
  const tied = isTied(ctx, status, row)
  const replaces = tied && status.current === true
  if (status.edited_at === null || (!replaces && !isEditNewer(status.edited_at, row.edited_at)))
    return { outcome: await refresh(ctx, status, row, quoting), tied }
  const claimed = status.edited_at
  const editedAt = new Date(Math.min(readTime(claimed), ctx.clock.now()))
  const before = await described(ctx, row.media_ids)
  const [emojis, media_ids] = await Promise.all([
    emojisOf(ctx, status, author),
    mediaOf(ctx, status, author, row.id, true),
  ])
  const usable = usableAttachments(ctx, status)
  const media = media_ids.map((id, i) => ({ id, description: usable[i]?.description ?? null }))
  const versionWith = (poll: { id: string | null; options: string[] | null }): Version => ({
    text: '',
    html: status.html,
    spoiler_text: status.spoiler_text,
    sensitive: status.sensitive || status.spoiler_text !== '',
    language: status.language,
    emojis,
    poll_id: poll.id,
    tags: tagsOf(status),
    mentions: status.mentions.slice(0, 500),
    media,
    pollOptions: poll.options,
    has_quote: quoting !== null,
  })
  const outcome = await ctx.db.tx(async (tx): Promise<Outcome | 'same' | 'tied' | null> => {
    await lockQuote(tx, status, quoting)
    const held = await lockForChange(tx, row.id, row.author_id)
    const now = held && (await rowOf(tx, row.id))
    // Another delivery of the same edit, or of a newer one, was applied first.
    if (!now) return null
    const isTie = isTied(ctx, status, now)
    if (isTie && !status.current) return 'tied'
    if (!isTie && !isEditNewer(claimed, now.edited_at)) return null
    if (isAtCreation(claimed, now)) {
      const { old, next } = await optionsOf(tx, status, now)
      if (!differs(versionOf(now, before, old), versionWith({ id: now.poll_id, options: next }))) return 'same'
    }
    const otherPolicy = await putPolicies(ctx, tx, status, row.id)
    const otherQuote = await syncQuote(ctx, tx, now, quoting, true)
    const poll = await editPoll(ctx, tx, status, now)
    // Unreached mentions of the previous version are deleted, because this version has its own.
    const missing = await endUnreachedOf(tx, [row.id])
    await storeUnreached(ctx, tx, [{ row, unreached: status.unreached }])
    const after = versionWith(poll)
    const old = versionOf(now, before, poll.old)
    if (differs(old, after)) {
      await applyEdit(ctx, tx, now, old, after, editedAt)
      await syncApproval(ctx, tx, row.id, status)
      return 'edited'
    }
    const otherApproval = await syncApproval(ctx, tx, row.id, status)
    await setEditedAt(tx, row.id, editedAt)
    const late = missing === 0 ? [] : notNamed(after.mentions, now.mentions)
    await addLateMentions(ctx, tx, now, late)
    const isOther = otherPolicy || otherQuote || otherApproval || poll.counted || late.length > 0
    return isOther ? 'refreshed' : 'unchanged'
  })
  if (outcome === 'same') return { outcome: await refresh(ctx, status, row, quoting) }
  if (outcome === null || outcome === 'tied') return { outcome: 'unchanged', tied: outcome === 'tied' }
  ctx.invalidations.send(statusInvalidation, [row.id])
  return { outcome }
}
