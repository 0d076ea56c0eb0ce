/** Sends `gap` events: soon after something was left out, but at most one every two seconds. */

/** Milliseconds between two gaps for the same listeners. Each makes their apps load timelines again. */
export const GAP_EVERY_MS = 2_000

export interface Gap {
  /** Something was left out. Sends at once, or together with everything else of these two seconds. */
  report(): void
  /** Cancels what is still to be sent, because no listener is left. */
  drop(): void
}

/**
 * One for each sequence of events.
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
