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

const next = (): void => {
  const now = performance.now()
  const wait = untilBeat(now)
  timer = setTimeout(() => {
    const lateMs = Math.max(0, performance.now() - now - wait)
    for (const beat of beats) beat(lateMs)
    next()
  }, wait).unref()
}

/** Calls `beat` every second with the delay of the timer in milliseconds. Returns a function that ends it. */
export const everySecond = (beat: (lateMs: number) => void): (() => void) => {
  beats.add(beat)
  if (beats.size === 1) next()
  return () => {
    beats.delete(beat)
    if (beats.size === 0) clearTimeout(timer)
  }
}
