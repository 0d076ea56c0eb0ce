/** Runs functions every second with one timer for the whole process. */

const BEAT_MS = 1_000
/** Minimum milliseconds between two runs. */
const LEAST_MS = 100

/** Milliseconds until the next whole second of the process. Ticks run then too (clock.ts), so an idle process wakes once for all. */
export const untilBeat = (now: number): number => {
  const wait = Math.ceil(BEAT_MS - (now % BEAT_MS))
  return wait < LEAST_MS ? wait + BEAT_MS : wait
}

const beats = new Set<(lateMs: number) => void>()
let timer: NodeJS.Timeout | undefined

/** Runs one function. The process reports its exception, and the others still run. */
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
    // Before the functions run, so that one that ends itself also clears this timer.
    next()
    for (const beat of beats) run(beat, lateMs)
  }, wait).unref()
}

/** Calls `beat` every second with the delay of the timer in milliseconds. Returns a function that ends the calls. */
export const everySecond = (beat: (lateMs: number) => void): (() => void) => {
  beats.add(beat)
  if (beats.size === 1) next()
  return () => {
    beats.delete(beat)
    if (beats.size === 0) clearTimeout(timer)
  }
}
