/** When a file of another server is tried again, how long it waits unasked, and how long a silent host is left alone. */

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** Waits after the first, second … failure; after the last one the file is given up until somebody looks. */
const WAITS = [30 * second, 2 * minute, 10 * minute, hour, 6 * hour, 24 * hour]
/** How long a host is left alone after so many failures in a row; the last one repeats. */
const PAUSES = [15 * second, minute, 5 * minute, 15 * minute, hour]
/** A host may ask for no more than this. */
const LONGEST_ASKED_MS = hour
/** So long has one request to find out whether a host answers again, before another one may. */
export const PROBE_MS = minute

/** A file that waits for its host, or for us, is given up when it has been known for so long. */
const LONGEST_WAIT_MS = 7 * 24 * hour
/** Our own trouble is asked about again after a part of the time that it may have lasted, so that nobody is asked often for nothing. */
const OWN_MS = { least: minute, most: 6 * hour, part: 0.25 }

/** A file that is not heard of in so many ms after its work was given out is given out again: longer than a queue that is worked on takes. */
export const UNHEARD_MS = hour

/** Fetching, drawing and storing together take no longer. */
const WORK_MS = 90 * second
/** Transcoding, with waiting for the turn, takes no longer than so many that take all their time. */
const TRANSCODINGS = 8

/** Making a copy takes no more ms, when transcoding one file takes at most `transcodeMs`. */
export const longestCopyMs = (transcodeMs: number): number => WORK_MS + TRANSCODINGS * transcodeMs

/** Defers a file until then, in ms since the epoch: its host was not asked, or this server has no capacity for it. */
export class LeftAlone extends Error {
  readonly until: number
  constructor(until: number) {
    super('the file is left alone for now')
    this.until = until
  }
}

/** A fifth more or less, so that what failed together does not come back together. */
const jittered = (ms: number, random: number): number => Math.round(ms * (0.8 + 0.4 * random))

/** When a file is tried again after so many failures, in ms since the epoch; null when it is given up. */
export const nextTry = (failures: number, now: number, random: number): number | null => {
  const wait = WAITS[failures - 1]
  return wait === undefined ? null : now + jittered(wait, random)
}

/** Files that nobody asked for since they came, and that came before this, are given up; in ms since the epoch. */
export const waitingSince = (now: number): number => now - LONGEST_WAIT_MS

/** When a file comes back that we could not take in ourselves, known for so many ms; in ms since the epoch. */
export const afterOwnTrouble = (knownMs: number, now: number, random: number): number =>
  now + jittered(Math.min(OWN_MS.most, Math.max(OWN_MS.least, knownMs * OWN_MS.part)), random)

/** When the budgets of hosts, which are counted by the minute, begin anew; in ms since the epoch. */
export const nextMinute = (now: number): number => (Math.floor(now / minute) + 1) * minute

export interface HostPause {
  failures: number
  /** In ms since the epoch. */
  pausedUntil: number
}

/** Why a host gave no answer that counts: it was silent, or asked to wait so many ms. */
export interface HostTrouble {
  /** The host it tells of: not always the one of the file, which may redirect to whom it likes. */
  host: string
  silent: boolean
  askedMs: number | null
}

/** Whether the host is left alone for it; else it answered, whatever it said. */
export const asksForPause = ({ silent, askedMs }: Omit<HostTrouble, 'host'>): boolean => silent || askedMs !== null

/** Pause of a host after a failed request; null when it does not change. */
export const pauseAfter = (
  before: HostPause | null,
  trouble: Omit<HostTrouble, 'host'>,
  it: { probe: boolean; now: number; random: number },
): HostPause | null => {
  // A request from before the pause began does not extend the pause.
  if (before !== null && before.pausedUntil > it.now && !it.probe) return null
  const failures = Math.min((before?.failures ?? 0) + 1, PAUSES.length)
  const own = trouble.silent ? jittered(PAUSES[failures - 1] as number, it.random) : 0
  return { failures, pausedUntil: it.now + Math.max(own, Math.min(trouble.askedMs ?? 0, LONGEST_ASKED_MS)) }
}
