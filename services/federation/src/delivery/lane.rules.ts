/** The queue of one host: its health, the effect of a response on it, and the choice of the next delivery. */
import { nextTrial, pauseAfter } from './retry.rules.js'
import type { Verdict } from './verdict.rules.js'

/** How a host is doing. Times are in ms since the epoch, days are `YYYY-MM-DD` in UTC. */
export type Health = {
  readonly failures: number
  readonly pausedUntil: number | null
  readonly failedDays: readonly string[]
  readonly unavailableSince: number | null
}

export const sound: Health = { failures: 0, pausedUntil: null, failedDays: [], unavailableSince: null }

/** Days with failures after which a host counts as unavailable. */
export const UNAVAILABLE_AFTER_DAYS = 7
/** Requests to one host at once. A host in trouble, or one that never took anything, gets one: a probe. */
export const MOST_IN_HAND = 2

/** Attempts with a failing status after which a delivery steps aside. */
export const STUCK_AFTER = 5
/** Stored instead of an HTTP status when the last attempt got no response within the time-out. */
export const TIMED_OUT = 0
/**
 * True for a delivery that only holds back deliveries about the same object, no longer all of its actor.
 *
 * One time-out suffices, because each one costs the host queue the whole time-out.
 */
export const isAside = (it: { attempts: number; status: number | null }): boolean =>
  it.status === TIMED_OUT || (it.attempts >= STUCK_AFTER && it.status !== null)
/** Requests at once of deliveries that stepped aside; they do not count towards `cap` while the host may be up. */
export const MOST_ASIDE = 1

/** True while one delivery that timed out is all that speaks against the host. */
export const mayBeUp = (health: Health): boolean => health.failures <= 1

export const cap = (health: Health, tookBefore: boolean): number =>
  health.failures > 0 || !tookBefore ? 1 : MOST_IN_HAND

/** State of a delivery after an attempt. */
export type Fate = { state: 'delivered' | 'refused' | 'gave-up' } | { state: 'pending'; nextAt: number }

export type Outcome = {
  health: Health
  fate: Fate
  /** The host takes messages again: what waits for it is due now. */
  revived: boolean
  /** The host is unavailable: what waits for it is given up. */
  abandoned: boolean
}

/** One attempt at a delivery: `attempts` before it, when the activity was made, and the time now, in ms since the epoch. */
export type Attempt = {
  attempts: number
  madeAt: number
  now: number
  /** 0 to 1. */
  random: number
  /** The host responded to another delivery while this one was on its way. */
  othersAnswered?: boolean
  /** The host took a delivery at some time. */
  tookBefore?: boolean
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** Result of a response for the delivery and for its host. */
export const outcomeOf = (before: Health, verdict: Verdict, it: Attempt): Outcome => {
  const { now } = it
  // Requests do not start while a host is paused. This one started before, so it does not count against the host.
  const pausedUntil = before.pausedUntil !== null && before.pausedUntil > now ? before.pausedUntil : null
  if (verdict.kind === 'delivered') {
    const revived = before.failures > 0 || before.unavailableSince !== null
    return { health: { ...sound, pausedUntil }, fate: { state: 'delivered' }, revived, abandoned: false }
  }
  if (verdict.kind === 'refused') {
    // A host that refuses is up. It accepted nothing, so its failed days stay.
    const health = { ...before, failures: 0, pausedUntil }
    return { health, fate: { state: 'refused' }, revived: before.failures > 0, abandoned: false }
  }
  return failed(before, verdict, { ...it, attempts: it.attempts + 1 })
}

/**
 * Failures in a row, and those of them that pause the host. Where deliveries arrived before, the first time-out pauses
 * nothing, and neither does a delivery that times out again: it may be the only one that the host cannot process.
 */
const counted = (before: Health, spares: boolean, attempts: number): { failures: number; pausing: number } => {
  if (!spares) return { failures: before.failures + 1, pausing: before.failures + 1 }
  const failures = attempts > 1 ? before.failures : before.failures + 1
  return { failures, pausing: Math.max(0, failures - 1) }
}

const failed = (
  before: Health,
  verdict: Verdict & { kind: 'later' },
  { attempts, madeAt, now, random, othersAnswered = false, tookBefore = false }: Attempt,
): Outcome => {
  const nextAt = nextTrial({ attempts, madeAt, now, askedMs: verdict.askedMs, random })
  // The host answered others while this one timed out: it is up.
  if (verdict.timedOut && othersAnswered)
    return { health: before, fate: fateAfter(verdict, attempts, nextAt, false), revived: false, abandoned: false }
  const { failures, pausing } = counted(before, verdict.timedOut && tookBefore, attempts)
  const pause = Math.max(pauseAfter(pausing, verdict.silent, random), verdict.askedMs ?? 0)
  // A server that finds something wrong with the request is a server that is up.
  const isDown = verdict.status === null || verdict.status >= 500
  const days = isDown ? [...before.failedDays, dayOf(now)] : before.failedDays
  const failedDays = [...new Set(days)].slice(0, UNAVAILABLE_AFTER_DAYS)
  const lost = failedDays.length >= UNAVAILABLE_AFTER_DAYS
  const health: Health = {
    failures,
    pausedUntil: pause > 0 ? Math.max(before.pausedUntil ?? 0, now + pause) : before.pausedUntil,
    failedDays,
    unavailableSince: before.unavailableSince ?? (lost ? now : null),
  }
  return { health, fate: fateAfter(verdict, attempts, nextAt, lost), revived: false, abandoned: lost }
}

const fateAfter = (
  verdict: Verdict & { kind: 'later' },
  attempts: number,
  nextAt: number | null,
  lost: boolean,
): Fate => {
  if (verdict.most !== null && attempts >= verdict.most) return { state: 'refused' }
  return nextAt === null || lost ? { state: 'gave-up' } : { state: 'pending', nextAt }
}

/** Deliveries on their way to a host, by actor and by object; those that stepped aside are only counted by object. */
export interface Busy {
  readonly actors: ReadonlyMap<string, { activity: string }>
  readonly objects: ReadonlyMap<string, { activity: string }>
}

/** Whether another delivery may start: an ordinary one, and one that stepped aside. */
export interface Room {
  readonly ordinary: boolean
  readonly aside: boolean
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
export const pick = <T extends Queued>(queue: readonly T[], busy: Busy, room: Room): T | undefined => {
  const waiting = new Map<string, string>()
  const isFree = (known: { activity: string } | undefined, it: T) =>
    known === undefined || known.activity === it.activity
  return queue.find((it) => {
    const earlier = waiting.get(it.about)
    const aside = isAside(it)
    const mayStart =
      (aside ? room.aside : room.ordinary) &&
      (earlier === undefined || earlier === it.activity) &&
      isFree(busy.objects.get(it.about), it) &&
      (aside || isFree(busy.actors.get(it.actor), it))
    if (!mayStart && earlier === undefined) waiting.set(it.about, it.activity)
    return mayStart
  })
}
