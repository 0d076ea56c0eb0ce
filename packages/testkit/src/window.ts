/** Time windows of limits: they begin when those of the clock do, so a test that counts must not cross their border. */
import { setTimeout as pause } from 'node:timers/promises'

/** Waits for the next window of so many minutes if the current one ends within `seconds`. */
export const beginInWindow = async (minutes: number, seconds = 30): Promise<void> => {
  const windowMs = minutes * 60_000
  const leftMs = windowMs - (Date.now() % windowMs)
  if (leftMs < seconds * 1_000) await pause(leftMs)
}
