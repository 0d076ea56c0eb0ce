/** The only source of time, so that tests can move it. */

export interface Clock {
  /** Milliseconds since 1970, with the test offset applied. */
  now(): number
  date(): Date
  /** Moves the clock; refused outside test mode by whoever exposes it. */
  moveTo(offsetMs: number): void
  offset(): number
  /** Repeats until cancelled; never overlaps itself. Real time, not clock time. Cancelling waits for what is running. */
  every(ms: number, work: () => Promise<void> | void): () => Promise<void>
  sleep(ms: number): Promise<void>
}

/** Node replaces longer and negative times by 1 ms, with a warning. */
const MOST_MS = 2 ** 31 - 1

/** The time for a timer: a moment that has passed is now, and one beyond 24 days is then. */
export const timerMs = (ms: number): number => (ms > 0 ? Math.min(ms, MOST_MS) : 0)

/** Repeats of a second or longer come at whole seconds of the process, so that an idle process is woken once for many. */
const GRID_MS = 1_000

/** Milliseconds until the next run: about `ms`, up to a whole second of the process. */
export const untilRun = (ms: number, now: number): number => {
  if (ms < GRID_MS) return ms
  const wait = ms - (now % GRID_MS)
  return wait < ms / 2 ? wait + GRID_MS : wait
}

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
