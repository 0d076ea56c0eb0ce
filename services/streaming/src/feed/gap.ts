/** Says that something was left out: soon, but seldom, however much it is. */

/** Milliseconds between two words to the same listeners: each makes their apps load timelines anew. */
export const GAP_EVERY_MS = 2_000

export interface Gap {
  /** Something is missing here: said at once, or together with what else goes missing in these two seconds. */
  owe(): void
  /** Nobody listens any more. */
  drop(): void
}

/**
 * One for each line of events.
 *
 * @example const gap = createGap(() => connection.transport.send(gapEvent))
 */
export const createGap = (tell: () => void): Gap => {
  let toldAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  const now = () => {
    timer = undefined
    toldAt = performance.now()
    tell()
  }
  return {
    owe() {
      if (timer) return
      const wait = toldAt + GAP_EVERY_MS - performance.now()
      if (wait > 0) timer = setTimeout(now, wait).unref()
      else now()
    },
    drop: () => clearTimeout(timer),
  }
}
