/** Waits for something to become true, with a bound. */
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Asks again every 25 ms; a check that throws counts as "not yet".
 * @param {() => Promise<boolean> | boolean} check
 * @param {{within: number, every?: number, signal?: AbortSignal}} options milliseconds; an aborted signal rejects
 * @returns {Promise<boolean>} false when the time ran out
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
