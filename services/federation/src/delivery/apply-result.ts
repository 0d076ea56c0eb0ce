/** Applies the response to a delivery attempt: computes the next state of the delivery, the health of its host, and the rows to store. */
import { type Clock, type Log, timeOfId } from '@murmuration/kernel'
import type { Blocked, HostQueue, Item } from './host-queue.js'
import {
  endingKinds,
  type Health,
  isStuck,
  isUnordered,
  NO_RESPONSE,
  type Outcome,
  outcomeOf,
  TIMED_OUT,
} from './host-queue.rules.js'
import type { HealthChange } from './host-queue.store.js'
import type { Entry } from './ledger.js'
import { deliveries } from './metrics.js'
import { dueAfterProbe, type UnansweredDelivery } from './probe.rules.js'
import { classifyResponse, type DeliveryResult } from './result.rules.js'
import type { Posted } from './send.client.js'

/** An actor whose inbox returned 410 or a redirect; the inbox itself if its actor is unknown. */
export type GoneActor = { uri: string } | { inbox: string }

export interface ResultContext {
  clock: Pick<Clock, 'now'>
  log: Log
  /** Queues a fetch of the actor that was not reached, or of the actors of an inbox that was not reached. */
  refetchGoneActor(whose: GoneActor): void
}

/** Delay of a delivery that was not sent because of a local fault. */
const OURS_AGAIN_MS = 60_000
/** Shortest interval at which the last success of a healthy host is stored, for operators. */
const SUCCESS_STORED_MS = 60_000

/** True if the host responded, and not a proxy before it or an overload (429, 502 to 504). */
const isResponse = (result: DeliveryResult): boolean =>
  result.status !== null && (result.kind !== 'later' || !result.silent)

/** Time of the next attempt at an unanswered delivery whose probe failed. */
const headDueAt = (
  head: UnansweredDelivery,
  health: Health,
  it: Pick<Parameters<typeof dueAfterProbe>[2], 'now' | 'responded'>,
): number => dueAfterProbe({ ...head, madeAt: timeOfId(head.seq) }, health, { ...it, random: Math.random() })

/**
 * Applies the response of a host to its host queue, and returns the entry for the ledger (table `deliveries`).
 *
 * `posted`: undefined if nothing was sent because of a local fault. `begunAt`: start of the attempt,
 * `performance.now()`.
 */
export const applyResult = (
  ctx: ResultContext,
  queue: HostQueue,
  item: Item,
  posted: Posted | undefined,
  onStored: () => void,
  begunAt: number,
): Entry => {
  const { activity, inbox, actor, about, kind, insteadOf } = item
  const now = ctx.clock.now()
  const plain = { queue: queue.id, activity, inbox, revived: false, abandoned: false, health: null, onStored }
  // Until the result is stored, the loader may read deliveries that must wait into the host queue again. Therefore they
  // are removed from it once more after the result was stored.
  const remove = (blocked: Blocked): { onStored: () => void } => {
    queue.removeBlocked(blocked)
    return {
      onStored: () => {
        if (queue.removeBlocked(blocked)) queue.stale = true
        onStored()
      },
    }
  }
  if (posted === undefined) {
    const removed = remove({ activity, actor })
    const putOffUntil = new Date(now + OURS_AGAIN_MS)
    return {
      ...plain,
      ...removed,
      result: null,
      head: insteadOf ? { ...insteadOf, nextAt: putOffUntil.getTime() } : null,
      putOffUntil,
    }
  }
  const result = classifyResponse(posted.response, now)
  const madeAt = timeOfId(item.seq)
  const before = queue.health
  const othersResponded = queue.respondedAt > begunAt
  if (isResponse(result)) queue.respondedAt = performance.now()
  const attempt = {
    attempts: item.attempts,
    madeAt,
    now,
    random: Math.random(),
    othersResponded,
    tookBefore: queue.deliveredAt !== null,
    tookSince: queue.deliveredAt !== null && queue.deliveredAt.getTime() > madeAt,
  }
  const after = outcomeOf(before, result, attempt)
  queue.health = after.health
  if (after.revived || after.abandoned) queue.stale = true
  const { fate } = after
  const status = isStuck(before, result, attempt) ? NO_RESPONSE : storedStatus(result)
  const unordered = isUnordered({ attempts: item.attempts + 1, status })
  const blocksOne = unordered && insteadOf === undefined && !endingKinds.includes(kind)
  const isPending = fate.state === 'pending'
  const removed = isPending ? remove(blocksOne ? { activity, about } : { activity, actor }) : {}
  // Deliveries are read into the host queue again. After an unordered delivery ended, these are the deliveries that
  // depend on it, and after a response to a probe, the unanswered delivery. After an unordered Undo failed, they are
  // those of its actor, because the host queue does not know which depend on the Undo.
  const isReadAgain = isPending ? unordered && !blocksOne : isUnordered(item) || insteadOf !== undefined
  if (isReadAgain) queue.stale = true
  if (after.abandoned && before.unavailableSince === null)
    ctx.log.info({ host: queue.host }, 'a host failed on seven days and counts as unavailable')
  const gone = report(ctx, item, result, after)
  return {
    ...plain,
    ...removed,
    result: { activity, inbox, fate, status, gone },
    head:
      insteadOf && isPending
        ? { ...insteadOf, nextAt: headDueAt(insteadOf, after.health, { now, responded: isResponse(result) }) }
        : null,
    putOffUntil: null,
    revived: after.revived,
    abandoned: after.abandoned,
    health: healthChange(queue, before, result, { scheme: posted.scheme, now, isProbe: insteadOf !== undefined }),
  }
}

/**
 * Value of `status` in the table `deliveries`: `TIMED_OUT` after a time-out, else the HTTP status; null without a
 * response.
 */
const storedStatus = (result: DeliveryResult): number | null =>
  result.kind === 'later' && result.timedOut ? TIMED_OUT : result.status

/** Counts the result, and queues a fetch of an actor whose inbox moved or is gone. Returns true if the response was 410. */
const report = (ctx: ResultContext, item: Item, result: DeliveryResult, { fate }: Outcome): boolean => {
  deliveries.inc({ outcome: fate.state === 'pending' ? 'failed' : fate.state })
  const gone = result.kind === 'refused' ? result.gone : null
  const moved = fate.state === 'refused' && result.status !== null && result.status < 400
  const { target } = item.payload
  if (gone !== null || moved) ctx.refetchGoneActor(target === null ? { inbox: item.url } : { uri: target })
  return gone === 'for-good'
}

/**
 * Changed health or signature scheme of the host, to be stored; null if nothing needs to be stored. The scheme is also
 * set in the host queue.
 */
const healthChange = (
  queue: HostQueue,
  before: Health,
  result: DeliveryResult,
  it: { scheme: HostQueue['scheme']; now: number; isProbe: boolean },
): HealthChange | null => {
  const delivered = result.kind === 'delivered'
  const newScheme = delivered && it.scheme !== queue.scheme
  if (newScheme) {
    queue.scheme = it.scheme
    queue.schemeAt = new Date(it.now)
  }
  // The time of a delivered probe is always stored, because it must be later than the unanswered delivery (`needsProbe`
  // in `probe.rules.ts`).
  const isRecent = !it.isProbe && queue.deliveredAt !== null && it.now - queue.deliveredAt.getTime() < SUCCESS_STORED_MS
  const wasWell = before.failures + before.failedDays.length === 0 && before.unavailableSince === null
  if (delivered && wasWell && isRecent && !newScheme) return null
  if (delivered) queue.deliveredAt = new Date(it.now)
  return {
    id: queue.id,
    health: queue.health,
    scheme: queue.scheme,
    schemeAt: queue.schemeAt,
    deliveredAt: delivered ? queue.deliveredAt : null,
    failedAt: delivered ? null : new Date(it.now),
    trouble: result.kind === 'delivered' ? null : result.why,
  }
}
