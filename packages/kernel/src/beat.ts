/** Runs functions every second with one timer for the whole process. */

const BEAT_MS = 1_000
/** Minimum milliseconds between two runs of the functions. */
const MIN_PAUSE_MS = 100

/**
 * Milliseconds until the next full second of the clock of the process. Ticks start then as well (clock.ts), so an idle
 * process wakes once a second.
 */
export const untilBeat = (now: number): number => {
  const wait = Math.ceil(BEAT_MS - (now % BEAT_MS))
  return wait < MIN_PAUSE_MS ? wait + BEAT_MS : wait
}

const beats = new Set<(lateMs: number) => void>()
let timer: NodeJS.Timeout | undefined

/** Runs one function. An exception is reported as uncaught by the process, and the other functions still run. */
const run = (beat: (lateMs: number) => void, lateMs: number): void => {
  try {
    beat(lateMs)
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}

const next = (): void => {
  const now = performance.now()
  const wait = untilBeat(now)
  timer = setTimeout(() => {
    const lateMs = Math.max(0, performance.now() - now - wait)
    // Sets the next timer before the functions run. So a function that ends its own calls can clear this timer.
    next()
    for (const beat of beats) run(beat, lateMs)
  }, wait).unref()
}

/** Calls `beat` every second. Its argument is the lateness of the timer in milliseconds. Returns a function that ends the calls. */
export const everySecond = (beat: (lateMs: number) => void): (() => void) => {
  beats.add(beat)
  if (beats.size === 1) next()
  return () => {
    beats.delete(beat)
    if (beats.size === 0) clearTimeout(timer)
  }
}
