/** Publishes activities: stores each once, adds its recipients to the ledger, and queues the deliveries. */

import { hostOf } from '@murmuration/activitypub/vocabulary/uri'
import type { OutgoingActivity } from '@murmuration/activitypub/vocabulary/write-activity'
import { deliverJob } from '@murmuration/contracts/federation'
import { errorText, fail } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import { chunk } from '@murmuration/flow'
import type { Context } from '../context.js'
import { isEnd, mayReachBlocked, replaces } from '../core/activity/compaction.rules.js'
import { insertActivity, isEnded, isOutdated, lockAbout, lockActivity, wasPublished } from '../core/activity/store.js'
import { hostAccess } from '../core/host/hosts.js'
import { recordShown } from '../core/host/reader.store.js'
import {
  ensureInboxes,
  replaceAllOf,
  replaceWaiting,
  type Sending,
  sendTo,
  sendToReached,
  sendToRecipients,
} from '../delivery/index.js'
import { bodyOf } from './body.js'
import { recordSharedInbox } from './direct-shared-inbox.store.js'

/** Recipients of an activity besides its `inboxes`. The value `named` adds no recipients. */
export type Receivers =
  | 'named'
  /** Inboxes that received an activity about the same object. */
  | 'reached'
  /** All inboxes that ever received an activity of the actor (delivery recipients). */
  | 'recipients'

export interface Outgoing {
  /** Account id of the actor. */
  actorId: string
  /** Id of the event that caused the activity. The event id orders the activities of one actor. */
  seq: string
  /** Null for a forwarded activity (`text`), and for a Delete or Undo that is only stored, because its object was never sent. */
  activity: OutgoingActivity | null
  /** Received text of a forwarded activity, sent unchanged. */
  text?: string
  uri: string
  kind: string
  /** URI of the object: the status, the actor, or for a direct activity its own id. */
  about: string
  /** Actor id of the recipient of a direct activity. */
  target?: string
  /** Shared inbox of the recipient of a direct activity; null if it has none. */
  shared?: string | null
  inboxes?: readonly string[]
  receivers?: Receivers
  /** True: all delivery recipients of the actor receive the activity too. */
  toAllRecipients?: boolean
  /** URIs of further objects. The recipients of activities about these objects also receive this activity. */
  reachedBy?: readonly string[]
  /** True for the Delete of the actor. */
  isActorDeletion?: boolean
  /** True if the activity is about a followers-only status. */
  forFollowers?: boolean
  /** A status of the actor that the activity contains. Recipients of the activity count as recipients of that status. */
  shows?: { id: string; uri: string }
  /**
   * Id generated before the content was read, to detect outdated content. `readAfter` is absent for content that cannot
   * change.
   */
  readAfter?: string
  /** Further database writes in the transaction that stores the activity. */
  inTransaction?: (tx: Tx) => Promise<unknown>
}

export type Publishing = Pick<
  Context,
  'db' | 'clock' | 'ids' | 'queue' | 'policy' | 'config' | 'self' | 'ownGraphs' | 'log' | 'signers'
>

/** Maximum number of inboxes per insert, and of deliveries per job. */
const PAGE = 1_000
const DELIVERIES_OF_A_JOB = 500

/** The inboxes that may receive the activity, sorted and without duplicates. Own and blocked hosts are left out. */
const reachable = (ctx: Publishing, it: Outgoing, named: readonly string[]): { url: string; host: string }[] => {
  const urls = [...new Set(named)].sort()
  const toBlocked = mayReachBlocked({ kind: it.kind, isActorDeletion: it.isActorDeletion ?? false })
  return urls.flatMap((url) => {
    const host = hostOf(url)
    // A host with the access `unknown` is kept, because it is checked again before the delivery.
    const isElsewhere = host !== null && !ctx.self.ownHosts.has(host)
    return isElsewhere && (toBlocked || hostAccess(ctx, host) !== 'blocked') ? [{ url, host }] : []
  })
}

/** Stores the deliveries of an activity, in pages. Returns the number of pending deliveries. */
const address = async (tx: Tx, it: Outgoing, sending: Sending, urls: readonly string[]): Promise<number> => {
  let pending = 0
  for (const page of chunk(urls, PAGE)) pending += await sendTo(tx, sending, page)
  if (it.receivers === 'reached') pending += await sendToReached(tx, sending, it.about)
  for (const about of it.reachedBy ?? []) pending += await sendToReached(tx, sending, about)
  if (it.receivers === 'recipients' || it.toAllRecipients) pending += await sendToRecipients(tx, sending)
  return pending
}

/** Stores the shared inbox of the recipient of a direct activity, for later activities to many recipients. */
const rememberShared = async (
  ctx: Publishing,
  it: Outgoing,
  to: readonly { url: string; host: string }[],
  url: string,
): Promise<void> => {
  const [own] = to
  const shared = reachable(ctx, it, [url]).filter((one) => one.host === own?.host && one.url !== own.url)
  if (own === undefined || shared.length === 0) return
  await ensureInboxes(ctx.db, shared, () => ctx.ids.next())
  await recordSharedInbox(ctx.db, own.url, url)
}

/**
 * Locks the status that an activity shows, so that its Delete includes the new recipients. Throws `unavailable` if the Delete is
 * stored already.
 */
const lockShown = async (tx: Tx, uri: string): Promise<void> => {
  await lockAbout(tx, uri)
  if (await isEnded(tx, uri))
    throw fail('unavailable', errorText('{uri} ended while it was shown', { uri }), { retryAfter: 1 })
}

/**
 * Publishes an activity. A repeated call has no effect.
 *
 * Returns false if the activity is stored already, if a Delete or Undo of its object is stored, or if its actor is
 * deleted.
 *
 * Throws `unavailable`, so that the caller reads the content again, in these cases:
 *
 * - A Delete or Undo has no text, and an activity about its object was sent meanwhile.
 * - The content is outdated (`readAfter`).
 * - The shown status was deleted.
 */
export const publish = async (ctx: Publishing, it: Outgoing): Promise<boolean> => {
  const body = await bodyOf(ctx, it)
  const to = body === null ? [] : reachable(ctx, it, it.inboxes ?? [])
  // Inboxes are stored outside the transaction, because other transactions need the same rows. An inbox without a
  // delivery does no harm.
  for (const page of chunk(to, PAGE)) await ensureInboxes(ctx.db, page, () => ctx.ids.next())
  if (it.shared) await rememberShared(ctx, it, to, it.shared)
  return ctx.db.tx(async (tx) => {
    await it.inTransaction?.(tx)
    if (it.shows) await lockShown(tx, it.shows.uri)
    await lockActivity(tx, { about: it.about, actorId: it.actorId, isActorDeletion: it.isActorDeletion ?? false })
    const now = ctx.clock.date()
    const id = ctx.ids.next()
    const fresh = await insertActivity(tx, {
      id,
      uri: it.uri,
      kind: it.kind,
      actorId: it.actorId,
      seq: it.seq,
      about: it.about,
      target: it.target ?? null,
      isActorDeletion: it.isActorDeletion ?? false,
      forFollowers: it.forFollowers ?? false,
      body,
      at: now,
      readAfter: it.readAfter,
    })
    if (!fresh && it.readAfter && (await isOutdated(tx, it)))
      throw fail('unavailable', errorText('{object} changed during its delivery', { object: it.about }), {
        retryAfter: 1,
      })
    if (!fresh) return false
    if (body === null && (await wasPublished(tx, it.about)))
      throw fail('unavailable', errorText('{object} ended during its delivery', { object: it.about }), {
        retryAfter: 1,
      })
    const sending: Sending = { activity: id, actorId: it.actorId, seq: it.seq, now, bypass: it.kind === 'Follow' }
    const pending =
      body === null
        ? 0
        : await address(
            tx,
            it,
            sending,
            to.map((one) => one.url),
          )
    if (it.shows) await recordShown(tx, { activity: id, status: it.shows.id, author: it.actorId })
    const kinds = replaces(it.kind)
    if (it.isActorDeletion) await replaceAllOf(tx, { activity: id, actorId: it.actorId, now })
    else if (isEnd(it.kind) || kinds.length) await replaceWaiting(tx, { activity: id, about: it.about, kinds, now })
    const parts = Math.ceil(pending / DELIVERIES_OF_A_JOB)
    if (parts > 0)
      await ctx.queue(tx, deliverJob, ...Array.from({ length: parts }, (_, part) => ({ activity: id, part, parts })))
    return true
  })
}

/** Publishes an activity to the inbox of one account. */
export const publishTo = (
  ctx: Publishing,
  account: { uri: string; inbox_url: string | null; shared_inbox_url?: string | null },
  it: Omit<Outgoing, 'target' | 'shared' | 'inboxes' | 'receivers'>,
): Promise<boolean> =>
  publish(ctx, {
    ...it,
    target: account.uri,
    shared: account.shared_inbox_url ?? null,
    inboxes: account.inbox_url === null ? [] : [account.inbox_url],
  })
