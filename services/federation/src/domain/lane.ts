/** A lane: how one host is doing, what the last answer changes about that, and which delivery goes next. */
import { nextTrial, pauseAfter } from './retry.js'
import type { Verdict } from './verdict.js'

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

/** Attempts after which a delivery that the host keeps failing on no longer holds back the others of its actor. */
export const STUCK_AFTER = 5
/** True when it is this delivery that the host cannot take, not any delivery. */
export const isStuck = (it: { attempts: number; status: number | null }): boolean =>
  it.attempts >= STUCK_AFTER && it.status !== null

export const cap = (health: Health, tookBefore: boolean): number =>
  health.failures > 0 || !tookBefore ? 1 : MOST_IN_HAND

/** What becomes of a delivery. */
export type Fate = { state: 'delivered' | 'refused' | 'gave-up' } | { state: 'pending'; nextAt: number }

export type Outcome = {
  health: Health
  fate: Fate
  /** The host takes messages again: what waits for it is due now. */
  revived: boolean
  /** The host is unavailable: what waits for it is given up. */
  abandoned: boolean
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** What an answer means for the delivery and for its host. */
export const outcomeOf = (
  before: Health,
  verdict: Verdict,
  it: { attempts: number; madeAt: number; now: number; random: number },
): Outcome => {
  const { now, random } = it
  // Nothing starts while a host is paused, so this was asked before the pause and says nothing against it.
  const pausedUntil = before.pausedUntil !== null && before.pausedUntil > now ? before.pausedUntil : null
  if (verdict.kind === 'delivered') {
    const revived = before.failures > 0 || before.unavailableSince !== null
    return { health: { ...sound, pausedUntil }, fate: { state: 'delivered' }, revived, abandoned: false }
  }
  if (verdict.kind === 'refused') {
    // A host that says no is there; it has not said yes, so its bad days stay.
    const health = { ...before, failures: 0, pausedUntil }
    return { health, fate: { state: 'refused' }, revived: before.failures > 0, abandoned: false }
  }
  return failed(before, verdict, it.attempts + 1, { madeAt: it.madeAt, now, random })
}

const failed = (
  before: Health,
  verdict: Verdict & { kind: 'later' },
  attempts: number,
  { madeAt, now, random }: { madeAt: number; now: number; random: number },
): Outcome => {
  const failures = before.failures + 1
  const pause = Math.max(pauseAfter(failures, verdict.silent, random), verdict.askedMs ?? 0)
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
  const nextAt = nextTrial({ attempts, madeAt, now, askedMs: verdict.askedMs, random })
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

/**
 * The first delivery whose actor has nothing else in hand; the queue is in the order in which things happened. One activity
 * may go to several inboxes of a host side by side.
 */
export const pick = <T extends { actor: string; activity: string }>(
  queue: readonly T[],
  busy: ReadonlyMap<string, { activity: string }>,
): T | undefined =>
  queue.find((it) => {
    const inHand = busy.get(it.actor)
    return inHand === undefined || inHand.activity === it.activity
  })
