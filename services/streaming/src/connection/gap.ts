/** Limits `gap` events, which report lost events, to one in GAP_EVERY_MS for the same listeners. */

/** Minimum milliseconds between two `gap` events for the same listeners, because clients load timelines again after each one. */
export const GAP_EVERY_MS = 2_000

export interface Gap {
  /** Records that an event was lost. Sends `gap` now, or when GAP_EVERY_MS have passed since the last `gap`. */
  report(): void
  /** Cancels a scheduled `gap`. The caller calls `drop` when no listener is left. */
  drop(): void
}

/**
 * Creates the limiter of one live subject or one connection. `send` sends the `gap`.
 *
 * @example const gap = createGap(() => connection.transport.send(gapEvent))
 */
export const createGap = (send: () => void): Gap => {
  let sentAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  const now = () => {
    timer = undefined
    sentAt = performance.now()
    send()
  }
  return {
    report() {
      if (timer) return
      const wait = sentAt + GAP_EVERY_MS - performance.now()
      if (wait > 0) timer = setTimeout(now, wait).unref()
      else now()
    },
    drop: () => clearTimeout(timer),
  }
}
