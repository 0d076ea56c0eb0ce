/** Rules for remote files: waits between tries, pauses of silent hosts, and the time after which a file is given up. */

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/**
 * Waits in milliseconds after the first, second … failure. After the last one, the file is fetched only when a client
 * requests it.
 */
const WAITS = [30 * second, 2 * minute, 10 * minute, hour, 6 * hour, 24 * hour]
/** Pauses of a host in milliseconds after consecutive failures. The last delay repeats. */
const PAUSES = [15 * second, minute, 5 * minute, 15 * minute, hour]
/** Longest pause in milliseconds that a host may request. */
const MAX_ASKED_MS = hour
/** Time in milliseconds for which one request probes a paused host, before another one may. */
export const PROBE_MS = minute

/** Time in milliseconds (7 days) since a file became known, after which it is given up instead of postponed. */
const MAX_WAIT_MS = 7 * 24 * hour
/**
 * After a local failure, a file waits a part of the time since it became known, within these bounds in milliseconds.
 * The growing wait limits repeated requests.
 */
const OWN_MS = { least: minute, max: 6 * hour, part: 0.25 }

/**
 * Time in milliseconds after which a queued file without an outcome is queued again. The time is longer than a queue
 * usually takes.
 */
export const UNHEARD_MS = hour

/** Time limit in milliseconds of fetching, drawing and storing together. */
const WORK_MS = 90 * second
/** Transcodings that may run before that of a file, with their full time limit. */
const TRANSCODINGS = 8

/**
 * Longest time in milliseconds that copying a file may take, including eight transcodings before it. `transcodeMs`: time limit of
 * one.
 */
export const longestCopyMs = (transcodeMs: number): number => WORK_MS + TRANSCODINGS * transcodeMs

/** Defers a file until a time in milliseconds since the epoch: its host is paused, or this server has no capacity for it. */
export class Deferred extends Error {
  readonly until: number
  constructor(until: number) {
    super('the file is deferred')
    this.until = until
  }
}

/** Varies a time by up to 20 %, so that files that failed together are not retried together. */
const jittered = (ms: number, random: number): number => Math.round(ms * (0.8 + 0.4 * random))

/** Time of the next try in milliseconds since the epoch. Null if the file is given up. */
export const nextTry = (failures: number, now: number, random: number): number | null => {
  const wait = WAITS[failures - 1]
  return wait === undefined ? null : now + jittered(wait, random)
}

/** Files that became known before this time are given up instead of postponed. In milliseconds since the epoch. */
export const waitingSince = (now: number): number => now - MAX_WAIT_MS

/**
 * Time of the next try after a local failure, in milliseconds since the epoch. `knownMs`: milliseconds since the file
 * became known.
 */
export const afterOwnTrouble = (knownMs: number, now: number, random: number): number =>
  now + jittered(Math.min(OWN_MS.max, Math.max(OWN_MS.least, knownMs * OWN_MS.part)), random)

/** Time in milliseconds since the epoch when the limits of hosts, which are counted per minute, start again. */
export const nextMinute = (now: number): number => (Math.floor(now / minute) + 1) * minute

export interface HostPause {
  failures: number
  /** In milliseconds since the epoch. */
  pausedUntil: number
}

/** Reason why a host is paused: it did not respond, or it requested a pause of `askedMs` milliseconds. */
export interface HostTrouble {
  /** The host concerned. After a redirect, the requested host is not the host of the file. */
  host: string
  silent: boolean
  askedMs: number | null
}

/** Whether the host is paused because of a failed request. Otherwise the host responded. */
export const asksForPause = ({ silent, askedMs }: Omit<HostTrouble, 'host'>): boolean => silent || askedMs !== null

/** Pause of a host after a failed request. Null if the pause does not change. */
export const pauseAfter = (
  before: HostPause | null,
  trouble: Omit<HostTrouble, 'host'>,
  it: { probe: boolean; now: number; random: number },
): HostPause | null => {
  // A request from before the pause began does not extend it.
  if (before !== null && before.pausedUntil > it.now && !it.probe) return null
  const failures = Math.min((before?.failures ?? 0) + 1, PAUSES.length)
  const own = trouble.silent ? jittered(PAUSES[failures - 1] as number, it.random) : 0
  return { failures, pausedUntil: it.now + Math.max(own, Math.min(trouble.askedMs ?? 0, MAX_ASKED_MS)) }
}
