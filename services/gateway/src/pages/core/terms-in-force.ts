/** Whether terms of service are in effect, for the link in the footer of every page. */
import { Failure } from '@murmuration/contracts/kit'
import { type Clock, ownRequest, within } from '@murmuration/kernel'

const LIFETIME_MS = 60_000
const BUDGET_MS = 10_000

/**
 * Returns a function that returns from memory whether terms of service are in effect. `current` requests the terms. A
 * value older than a minute is still returned, and a new one is requested in the background. Pages therefore do not wait.
 */
export const createTermsInForce = (clock: Clock, current: () => Promise<{ effective: boolean }>): (() => boolean) => {
  let isInForce = false
  let readAt = Number.NEGATIVE_INFINITY
  const read = async (): Promise<void> => {
    try {
      isInForce = (await within(ownRequest(BUDGET_MS), current)).effective
    } catch (error) {
      // After any other error the last value stays, and the next page after a minute reads it again.
      if (error instanceof Failure && error.code === 'not_found') isInForce = false
    }
  }
  return () => {
    const now = clock.now()
    if (now - readAt > LIFETIME_MS) {
      readAt = now
      void read()
    }
    return isInForce
  }
}
