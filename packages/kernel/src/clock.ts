/** Source of the current time, which tests can move. */

export interface Clock {
  /** Milliseconds since 1970, with the test offset applied. */
  now(): number
  date(): Date
  /** Sets the offset of the clock in milliseconds. A caller must not set it outside of test mode. */
  moveTo(offsetMs: number): void
  offset(): number
  /**
   * Calls `work` every `ms` milliseconds of real time, without overlaps. The returned function ends the calls, and
   * resolves after the current one.
   */
  every(ms: number, work: () => Promise<void> | void): () => Promise<void>
  sleep(ms: number): Promise<void>
}

/** Largest delay of a timer, about 24 days. Node replaces larger and negative delays by 1 ms, with a warning. */
const MAX_MS = 2 ** 31 - 1

/** Delay for a timer: 0 for a time in the past, and at most MAX_MS. */
export const timerMs = (ms: number): number => (ms > 0 ? Math.min(ms, MAX_MS) : 0)

/** Intervals of at least this length start at full seconds of the process. An idle process thus wakes once for many runs. */
const GRID_MS = 1_000

/** Milliseconds until the next run: `ms`, rounded to a whole second of the process. */
export const untilRun = (ms: number, now: number): number => {
  if (ms < GRID_MS) return ms
  const wait = ms - (now % GRID_MS)
  return wait < ms / 2 ? wait + GRID_MS : wait
}

/** Creates a clock. `offsetMs` is added to the time of the machine. */
export const createClock = (offsetMs = 0): Clock => {
  let offset = offsetMs
  const now = () => Date.now() + offset
  return {
    now,
    date: () => new Date(now()),
    moveTo: (ms) => {
      offset = ms
    },
    offset: () => offset,
    every(ms, work) {
      let stopped = false
      let timer: NodeJS.Timeout
      let running: Promise<void> | undefined
      const once = async () => {
        await work()
        if (!stopped) next()
      }
      const next = () => {
        timer = setTimeout(
          () => {
            running = once()
          },
          timerMs(untilRun(ms, performance.now())),
        )
        timer.unref()
      }
      next()
      return async () => {
        stopped = true
        clearTimeout(timer)
        await running
      }
    },
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, timerMs(ms))),
  }
}
