/** When a delivery is tried again, and when it is given up. */

import { httpDateToMs } from '@murmuration/activitypub/signatures/window'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** Waits after the first, second … failed attempt; the last one repeats. Two quick ones, then ever longer ones. */
const waits = [15 * second, minute, 5 * minute, 15 * minute, hour, 3 * hour, 6 * hour, 12 * hour, 24 * hour]

/** Nothing is held longer than this. */
export const HELD_MS = 7 * 24 * hour
/** A server may ask for more patience than the schedule has, up to this. */
export const LONGEST_ASKED_MS = 6 * hour
/** A host in trouble is looked at this often when something new waits for it. */
const LONGEST_PAUSE_MS = hour

/** Failures in a row that open the breaker, whatever kind they are. */
const BREAKER_AFTER = 10
const BREAKER_MS = minute

/** The schedule allows 20 % either way; what is short leaves most of it to the clock that wakes what is due. */
const jittered = (ms: number, random: number): number => {
  const share = ms < 5 * minute ? 0.05 : 0.15
  return Math.round(ms * (1 - share + 2 * share * random))
}

const waitAfter = (failures: number): number => waits[Math.min(failures, waits.length) - 1] ?? 0

export type Trial = {
  /** Attempts so far, the one that just failed included. */
  attempts: number
  /** When the activity was made; times are in ms since the epoch. */
  madeAt: number
  now: number
  /** Wait that the server requested; null if it did not. */
  askedMs: number | null
  /** 0 to 1. */
  random: number
}

/** When to try again, or null when the time is up. The last try of all is on the seventh day. */
export const nextTrial = ({ attempts, madeAt, now, askedMs, random }: Trial): number | null => {
  const end = madeAt + HELD_MS
  if (now >= end) return null
  const next = now + Math.max(jittered(waitAfter(attempts), random), Math.min(askedMs ?? 0, LONGEST_ASKED_MS))
  return Math.min(next, Math.max(end, now + (askedMs ?? 0)))
}

/** Pause of a host after this many failures in a row. `silent` failures pause it at once, others only after several. */
export const pauseAfter = (failures: number, silent: boolean, random: number): number => {
  const own = silent ? Math.min(jittered(waitAfter(failures), random), LONGEST_PAUSE_MS) : 0
  const doublings = failures - BREAKER_AFTER
  const breaker = doublings < 0 ? 0 : Math.min(BREAKER_MS * 2 ** Math.min(doublings, 10), LONGEST_PAUSE_MS)
  return Math.max(own, breaker)
}

/**
 * Milliseconds of `Retry-After`: whole seconds, or a date relative to the clock of the server, if it sends one. Null when the
 * header is absent or invalid.
 */
export const askedWait = (headers: Readonly<Record<string, string>>, now: number): number | null => {
  const value = headers['retry-after']?.trim()
  if (!value) return null
  if (/^\d{1,9}$/.test(value)) return Math.min(Number(value) * second, LONGEST_ASKED_MS)
  const until = httpDateToMs(value)
  if (until === null) return null
  return Math.min(Math.max(0, until - (httpDateToMs(headers.date ?? '') ?? now)), LONGEST_ASKED_MS)
}
