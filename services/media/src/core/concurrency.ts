/** Concurrency limits within a process. */

export interface ConcurrencyLimit {
  /** Runs `work` when fewer than the limit run, in the order of the calls. Resolves or rejects like `work`. */
  run<T>(work: () => Promise<T>): Promise<T>
}

export interface Places {
  /**
   * Takes a place and returns the function that frees it. Null if none is free; background work (`behind`) may use only
   * half of them.
   */
  enter(behind: boolean): (() => void) | null
}

/** A limit of `places` for work that runs or waits. */
export const createPlaces = (places: number): Places => {
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

/** Runs at most `count` calls concurrently. */
export const createConcurrencyLimit = (count: number): ConcurrencyLimit => {
  const waiting: (() => void)[] = []
  let running = 0
  return {
    async run(work) {
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
