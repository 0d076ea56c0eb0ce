/** Windows of rate limits are aligned to the clock, so tests that count must not cross a border. */
import { setTimeout as pause } from 'node:timers/promises'

/** Waits for the next window of so many minutes if the current one ends within `seconds`. */
export const beginInWindow = async (minutes: number, seconds = 30): Promise<void> => {
  const windowMs = minutes * 60_000
  const leftMs = windowMs - (Date.now() % windowMs)
  if (leftMs < seconds * 1_000) await pause(leftMs)
}
