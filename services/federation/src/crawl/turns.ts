/** Runs work, a few calls at a time, in the order in which it was asked for. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>

export const createTurns = (most: number): InTurn => {
  let free = most
  const waiting: (() => void)[] = []
  return async (work) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}
