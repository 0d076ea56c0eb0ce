/** Windows of rate limits are aligned to the clock. A test that counts requests must stay within one window. */
import { setTimeout as pause } from 'node:timers/promises'

/** Waits for the next rate-limit window of `minutes` minutes if the current window ends within `seconds` seconds. */
export const beginInWindow = async (minutes: number, seconds = 30): Promise<void> => {
  const windowMs = minutes * 60_000
  const leftMs = windowMs - (Date.now() % windowMs)
  if (leftMs < seconds * 1_000) await pause(leftMs)
}
