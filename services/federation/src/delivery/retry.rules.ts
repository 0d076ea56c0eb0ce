/** Rules for the time of the next attempt at a delivery, and for the pause of a host. */

import { httpDateToMs } from '@murmuration/activitypub/signatures/window'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** Delays after the first, second … failed attempt. The last delay is used for all further attempts. */
const waits = [15 * second, minute, 5 * minute, 15 * minute, hour, 3 * hour, 6 * hour, 12 * hour, 24 * hour]

/** Age of an activity from which its pending deliveries are given up. */
export const HELD_MS = 7 * 24 * hour
/** Longest delay that a server can request with `Retry-After`. */
export const MAX_RETRY_AFTER_MS = 6 * hour
/** Longest pause of deliveries to a failing host. */
const MAX_PAUSE_MS = hour

/** Number of consecutive failures of any kind that pause the host for `BREAKER_MS`. Each further failure doubles the pause. */
const BREAKER_AFTER = 10
const BREAKER_MS = minute

/**
 * The delay with a random deviation: 5 % below five minutes, else 15 %. With the delay of ticks, the deviation stays
 * within 20 % (F045).
 */
const jittered = (ms: number, random: number): number => {
  const share = ms < 5 * minute ? 0.05 : 0.15
  return Math.round(ms * (1 - share + 2 * share * random))
}

const waitAfter = (failures: number): number => waits[Math.min(failures, waits.length) - 1] ?? 0

export type Attempt = {
  /** Number of attempts, including the attempt that just failed. */
  attempts: number
  /** Time of the activity. `now` and `madeAt` are in ms since the epoch. */
  madeAt: number
  now: number
  /** Delay that the server requested with `Retry-After`; null if it requested none. */
  retryAfterMs: number | null
  /** Random number from 0 to 1, for the random part of the delay. */
  random: number
}

/** Time of the next attempt in ms since the epoch; null after `HELD_MS`. The last attempt is at that time. */
export const nextAttemptAt = ({ attempts, madeAt, now, retryAfterMs, random }: Attempt): number | null => {
  const end = madeAt + HELD_MS
  if (now >= end) return null
  const next = now + Math.max(jittered(waitAfter(attempts), random), Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS))
  return Math.min(next, Math.max(end, now + (retryAfterMs ?? 0)))
}

/**
 * Pause of a host in ms after this many failures in a row. Failures without a response (`silent`) pause the host at
 * once, other failures from the number `BREAKER_AFTER` on.
 */
export const pauseAfter = (failures: number, silent: boolean, random: number): number => {
  const own = silent ? Math.min(jittered(waitAfter(failures), random), MAX_PAUSE_MS) : 0
  const doublings = failures - BREAKER_AFTER
  const breaker = doublings < 0 ? 0 : Math.min(BREAKER_MS * 2 ** Math.min(doublings, 10), MAX_PAUSE_MS)
  return Math.max(own, breaker)
}

/**
 * Delay in ms of the header `Retry-After`, at most `MAX_RETRY_AFTER_MS`: whole seconds, or a date, compared with the `Date` header
 * of the response if present. Null if the header is absent or invalid.
 */
export const retryAfterOf = (headers: Readonly<Record<string, string>>, now: number): number | null => {
  const value = headers['retry-after']?.trim()
  if (!value) return null
  if (/^\d{1,9}$/.test(value)) return Math.min(Number(value) * second, MAX_RETRY_AFTER_MS)
  const until = httpDateToMs(value)
  if (until === null) return null
  return Math.min(Math.max(0, until - (httpDateToMs(headers.date ?? '') ?? now)), MAX_RETRY_AFTER_MS)
}
