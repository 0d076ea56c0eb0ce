/** Rules for copies of remote files: times of further tries, pauses of silent hosts, and the age at which a file is given up. */

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/**
 * Milliseconds until the next try after the first, second … failure. After the last try, the file is fetched only when
 * a client requests it.
 */
const WAITS = [30 * second, 2 * minute, 10 * minute, hour, 6 * hour, 24 * hour]
/** Milliseconds for which requests to a host pause, after the first, second … consecutive failure. The last value repeats. */
const PAUSES = [15 * second, minute, 5 * minute, 15 * minute, hour]
/** Maximum milliseconds of a pause that a host requests by Retry-After. */
const MAX_RETRY_AFTER_MS = hour
/** Milliseconds for which one request probes a paused host. In that time, no other request is sent. */
export const PROBE_MS = minute

/** Maximum milliseconds (7 days) since a file became known, during which it is postponed. After that it is given up. */
const MAX_WAIT_MS = 7 * 24 * hour
/**
 * Milliseconds that a file waits after a failure of this server: `part` of the time since it became known, from `least`
 * to `max`. Because that time grows, repeated tries become rarer.
 */
const OWN_MS = { least: minute, max: 6 * hour, part: 0.25 }

/** Milliseconds after which a queued file without an outcome is queued again. Jobs rarely wait that long in the queue. */
export const REQUEUE_AFTER_MS = hour

/** Milliseconds (one day) after which an emoji that was given up is fetched again, if another text contains it. */
export const EMOJI_GIVEN_UP_MS = 24 * hour

/** Maximum milliseconds for fetching, drawing and storing a file. */
const WORK_MS = 90 * second
/** Maximum number of transcodings of other files for which a file waits before its own transcoding. */
const TRANSCODINGS = 8

/**
 * Maximum milliseconds for copying a file, including eight transcodings of other files before it. `transcodeMs` is the
 * time limit of one transcoding.
 */
export const longestCopyMs = (transcodeMs: number): number => WORK_MS + TRANSCODINGS * transcodeMs

/**
 * Thrown to postpone a file until a time, in milliseconds since 1970. Its host is paused, or this server has no free
 * slot for it.
 */
export class Deferred extends Error {
  readonly until: number
  constructor(until: number) {
    super('the file is deferred')
    this.until = until
  }
}

/** Changes a duration randomly by up to 20 %, so that files that failed together are not tried again together. */
const jittered = (ms: number, random: number): number => Math.round(ms * (0.8 + 0.4 * random))

/** Time of the next try in milliseconds since 1970. Null after the last try, when the file is given up. */
export const nextTry = (failures: number, now: number, random: number): number | null => {
  const wait = WAITS[failures - 1]
  return wait === undefined ? null : now + jittered(wait, random)
}

/** Time in milliseconds since 1970. Files that became known before this time are given up instead of postponed. */
export const waitingSince = (now: number): number => now - MAX_WAIT_MS

/**
 * Time of the next try after a failure of this server, in milliseconds since 1970. `knownMs`: milliseconds since the
 * file became known.
 */
export const retryAfterLocalFailure = (knownMs: number, now: number, random: number): number =>
  now + jittered(Math.min(OWN_MS.max, Math.max(OWN_MS.least, knownMs * OWN_MS.part)), random)

/** Start of the next minute in milliseconds since 1970. The limits of requests to hosts count per minute. */
export const nextMinute = (now: number): number => (Math.floor(now / minute) + 1) * minute

export interface HostPause {
  failures: number
  /** End of the pause, in milliseconds since 1970. */
  pausedUntil: number
}

/** Why a host is paused: it did not respond (`silent`), or it requested a pause of `retryAfterMs` milliseconds. */
export interface HostFailure {
  /** Host of the failed request. After a redirect, it is not the host of the file's URL. */
  host: string
  silent: boolean
  retryAfterMs: number | null
}

/** Whether a failed request causes a pause of its host. False if the host responded and requested no pause. */
export const needsPause = ({ silent, retryAfterMs }: Omit<HostFailure, 'host'>): boolean =>
  silent || retryAfterMs !== null

/** New pause of a host after a failed request. Null if the pause does not change. */
export const pauseAfter = (
  before: HostPause | null,
  trouble: Omit<HostFailure, 'host'>,
  it: { probe: boolean; now: number; random: number },
): HostPause | null => {
  // A request that was sent before the current pause began does not extend the pause.
  if (before !== null && before.pausedUntil > it.now && !it.probe) return null
  const failures = Math.min((before?.failures ?? 0) + 1, PAUSES.length)
  const own = trouble.silent ? jittered(PAUSES[failures - 1] as number, it.random) : 0
  return { failures, pausedUntil: it.now + Math.max(own, Math.min(trouble.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS)) }
}
