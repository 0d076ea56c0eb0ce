/**
 * Rules of a host queue (the deliveries to one host): the health of its host, the effect of a response, and the choice
 * of the next delivery.
 */

import type { DeliveryResult } from './result.rules.js'
import { nextAttemptAt, pauseAfter } from './retry.rules.js'

/**
 * Health of a host. Times are in ms since the epoch, days are `YYYY-MM-DD` in UTC. `failures`: number of consecutive
 * failures.
 */
export type Health = {
  readonly failures: number
  readonly pausedUntil: number | null
  readonly failedDays: readonly string[]
  readonly unavailableSince: number | null
}

/** Length of the lease of a host queue in milliseconds. */
export const LEASE_MS = 15_000
/** Maximum number of milliseconds until the end of a lease. A later end counts as wrong. */
export const MAX_HELD_MS = 2 * LEASE_MS

export const HEALTHY: Health = { failures: 0, pausedUntil: null, failedDays: [], unavailableSince: null }

/** Number of days with failures after which a host counts as unavailable. */
export const UNAVAILABLE_AFTER_DAYS = 7
/**
 * Maximum number of simultaneous requests to one host. A host with failures, or a host that never accepted a delivery,
 * gets one request at a time.
 */
export const MAX_REQUESTS_PER_HOST = 2

/** Number of attempts after which a delivery with a failing status is unordered (see `isUnordered`). */
export const STUCK_AFTER = 5
/** Value in the column `status` of a delivery whose last attempt got no response within the time-out. */
export const TIMED_OUT = 0
/** Value in the column `status` of a delivery that is stuck (see `isStuck`). It counts like a failing HTTP status. */
export const NO_RESPONSE = 1
/**
 * Kinds of activities that end what an earlier activity began. While one of them is unordered, further activities wait
 * for it, not only those about the same object (see `dependsOn` in `delivery.store.ts`).
 */
export const endingKinds: readonly string[] = ['Undo', 'Reject', 'Remove']
/**
 * True for an unordered delivery: only deliveries that depend on it wait for it (see `dependsOn`), no longer all of its actor.
 *
 * A single time-out suffices, because each attempt blocks other deliveries to the host for the whole time-out.
 */
export const isUnordered = (it: { attempts: number; status: number | null }): boolean =>
  it.status === TIMED_OUT || (it.attempts >= STUCK_AFTER && it.status !== null)
/**
 * Maximum number of simultaneous requests of unordered deliveries to one host. Such requests do not count towards `cap` if the
 * host may be up.
 */
export const MAX_UNORDERED = 1

/**
 * Time after the pause of a host in which other deliveries are sent before a delivery that failed repeatedly. Because
 * the host may be unable to process only that activity, another delivery shows whether the host is up.
 */
const OTHERS_FIRST_MS = 5_000

/** True if at most one delivery in a row failed, so that the host may be up. */
export const mayBeUp = (health: Health): boolean => health.failures <= 1

export const cap = (health: Health, tookBefore: boolean): number =>
  health.failures > 0 || !tookBefore ? 1 : MAX_REQUESTS_PER_HOST

/** State of a delivery after an attempt to send it. */
export type NextState = { state: 'delivered' | 'refused' | 'gave-up' } | { state: 'pending'; nextAt: number }

export type Outcome = {
  health: Health
  fate: NextState
  /** True if the host responds again: its failed deliveries are due now. */
  revived: boolean
  /** True if the host is unavailable: its pending deliveries are given up. */
  abandoned: boolean
}

/**
 * One attempt at a delivery: number of earlier attempts, time of the activity, and current time. Times are in ms since
 * the epoch.
 */
export type Attempt = {
  attempts: number
  madeAt: number
  now: number
  /** Random number from 0 to 1, for the random part of the delay. */
  random: number
  /** True if the host responded to another delivery during this attempt. */
  othersResponded?: boolean
  /** True if the host ever accepted a delivery. */
  tookBefore?: boolean
  /** True if the host accepted a delivery since the time of the activity. */
  tookSince?: boolean
}

/**
 * True for a delivery that failed `STUCK_AFTER` times, now without a response, although the host accepted other
 * deliveries between its attempts.
 *
 * The failures in a row of a host that is down include each attempt of the delivery. One attempt may be missing,
 * because the host may have responded to another delivery during it.
 */
export const isStuck = (
  before: Health,
  result: DeliveryResult,
  it: Pick<Attempt, 'attempts' | 'othersResponded' | 'tookSince'>,
): boolean =>
  result.kind === 'later' &&
  result.status === null &&
  !result.timedOut &&
  it.attempts + 1 >= STUCK_AFTER &&
  it.tookSince === true &&
  (it.othersResponded === true || before.failures + 1 < it.attempts)

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** Effect of a response on the delivery and on the health of its host. */
export const outcomeOf = (before: Health, result: DeliveryResult, it: Attempt): Outcome => {
  const { now } = it
  // The request with this response was sent before the pause of the host began, so the pause stays.
  const pausedUntil = before.pausedUntil !== null && before.pausedUntil > now ? before.pausedUntil : null
  if (result.kind === 'delivered') {
    const revived = before.failures > 0 || before.unavailableSince !== null
    return { health: { ...HEALTHY, pausedUntil }, fate: { state: 'delivered' }, revived, abandoned: false }
  }
  if (result.kind === 'refused') {
    // A response that refuses the delivery shows that the host is up. The failed days of the host stay, because the
    // host accepted no delivery.
    const health = { ...before, failures: 0, pausedUntil }
    return { health, fate: { state: 'refused' }, revived: before.failures > 0, abandoned: false }
  }
  const stuck = isStuck(before, result, it)
  return failed(before, result, { ...it, attempts: it.attempts + 1, stuck })
}

/**
 * Number of consecutive failures of the host including this failure, and the number of failures that determines the
 * pause.
 *
 * With `spares`, the first time-out and repeated failures of one delivery do not count, because the host may be unable
 * to process only that activity.
 */
const counted = (before: Health, spares: boolean, attempts: number): { failures: number; pausing: number } => {
  if (!spares) return { failures: before.failures + 1, pausing: before.failures + 1 }
  const failures = attempts > 1 ? before.failures : before.failures + 1
  return { failures, pausing: Math.max(0, failures - 1) }
}

/** The time of an attempt, or a few seconds after the pause of the host if that is later (see `OTHERS_FIRST_MS`). */
export const othersFirst = (at: number, health: Health): number =>
  Math.max(at, (health.pausedUntil ?? 0) + OTHERS_FIRST_MS)

const failed = (
  before: Health,
  result: DeliveryResult & { kind: 'later' },
  { attempts, madeAt, now, random, othersResponded = false, tookBefore = false, stuck }: Attempt & { stuck: boolean },
): Outcome => {
  const ownAt = nextAttemptAt({ attempts, madeAt, now, retryAfterMs: result.retryAfterMs, random })
  // The host responded to other deliveries meanwhile, so its health does not change.
  if (result.status === null && othersResponded)
    return { health: before, fate: fateAfter(result, attempts, ownAt, false), revived: false, abandoned: false }
  const { failures, pausing } = counted(before, stuck || (result.timedOut && tookBefore), attempts)
  const pause = Math.max(pauseAfter(pausing, result.silent, random), result.retryAfterMs ?? 0)
  // A response with a status below 500 shows that the server is up. Without a counted failure, only this delivery
  // fails, and the host is not paused.
  const isDown = failures > 0 && (result.status === null || result.status >= 500)
  const days = isDown ? [...before.failedDays, dayOf(now)] : before.failedDays
  const failedDays = [...new Set(days)].slice(0, UNAVAILABLE_AFTER_DAYS)
  const lost = failedDays.length >= UNAVAILABLE_AFTER_DAYS
  const health: Health = {
    failures,
    pausedUntil: pause > 0 ? Math.max(before.pausedUntil ?? 0, now + pause) : before.pausedUntil,
    failedDays,
    unavailableSince: before.unavailableSince ?? (lost ? now : null),
  }
  const isRepeated = attempts > 1 && pause > 0
  const nextAt = ownAt === null || !isRepeated ? ownAt : othersFirst(ownAt, health)
  return { health, fate: fateAfter(result, attempts, nextAt, lost), revived: false, abandoned: lost }
}

const fateAfter = (
  result: DeliveryResult & { kind: 'later' },
  attempts: number,
  nextAt: number | null,
  lost: boolean,
): NextState => {
  if (result.max !== null && attempts >= result.max) return { state: 'refused' }
  return nextAt === null || lost ? { state: 'gave-up' } : { state: 'pending', nextAt }
}

/**
 * Actors and objects with deliveries in flight to a host. For an unordered delivery (see `isUnordered`), only the
 * object is included.
 */
export interface Busy {
  readonly actors: ReadonlyMap<string, { activity: string }>
  readonly objects: ReadonlyMap<string, { activity: string }>
}

/** Whether another ordinary delivery, and whether another unordered delivery, may start. */
export interface FreeSlots {
  readonly ordinary: boolean
  readonly unordered: boolean
}

type Queued = { actor: string; activity: string; about: string; attempts: number; status: number | null }

/**
 * First delivery of the queue that may start, in the order of events.
 *
 * | Deliveries | Order |
 * |---|---|
 * | one activity to several inboxes of the host | side by side |
 * | activities of one actor, or about one object | one after the other |
 */
export const pick = <T extends Queued>(queue: readonly T[], busy: Busy, room: FreeSlots): T | undefined => {
  const waiting = new Map<string, string>()
  const isFree = (known: { activity: string } | undefined, it: T) =>
    known === undefined || known.activity === it.activity
  return queue.find((it) => {
    const earlier = waiting.get(it.about)
    const unordered = isUnordered(it)
    const mayStart =
      (unordered ? room.unordered : room.ordinary) &&
      (earlier === undefined || earlier === it.activity) &&
      isFree(busy.objects.get(it.about), it) &&
      (unordered || isFree(busy.actors.get(it.actor), it))
    if (!mayStart && earlier === undefined) waiting.set(it.about, it.activity)
    return mayStart
  })
}
