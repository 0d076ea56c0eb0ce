/** Waits for a condition, with a time limit. */
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Repeats a check, every 25 ms by default. A check that throws counts as false.
 * @param {() => Promise<boolean> | boolean} check
 * @param {{within: number, every?: number, signal?: AbortSignal}} options milliseconds; an aborted signal rejects
 * @returns {Promise<boolean>} false after the time limit
 */
export async function until(check, { within, every = 25, signal }) {
  const end = Date.now() + within
  for (;;) {
    signal?.throwIfAborted()
    if (await asked(check)) return true
    if (Date.now() > end) return false
    await sleep(every)
  }
}

async function asked(check) {
  try {
    return await check()
  } catch {
    return false
  }
}
