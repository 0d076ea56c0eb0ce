/** Work that is done a few at once, in the order in which it came. */

export interface Turns {
  /** Runs `work` when it is its turn; gives and rejects with what that does. */
  take<T>(work: () => Promise<T>): Promise<T>
}

export interface Line {
  /** A place, to be given back once; null when there is none left, for what is `behind` already when half of them are taken. */
  enter(behind: boolean): (() => void) | null
}

/** `places` for all that is on its way to a turn, waits for it or has it. */
export const createLine = (places: number): Line => {
  let taken = 0
  return {
    enter(behind) {
      if (taken >= (behind ? places / 2 : places)) return null
      taken++
      return () => {
        taken--
      }
    },
  }
}

/** `count` at once. */
export const createTurns = (count: number): Turns => {
  const waiting: (() => void)[] = []
  let running = 0
  return {
    async take(work) {
      if (running >= count) await new Promise<void>((resolve) => waiting.push(resolve))
      else running++
      try {
        return await work()
      } finally {
        // The next waiting call takes this slot.
        const next = waiting.shift()
        if (next) next()
        else running--
      }
    },
  }
}
