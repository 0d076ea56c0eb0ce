/** Splits long work into small steps that block no other work. */

/**
 * Repeats a step until one did less than its full amount. The steps run one after the other, so that none holds locks
 * for long.
 * @param most.size amount of a full step, such as rows
 * @param most.steps maximum number of steps; the next run of the caller continues
 * @param most.forMs time after which no further step begins
 * @param step returns the amount that it did
 * @returns the total amount
 */
export const inSteps = async (
  { size, steps, forMs = Number.POSITIVE_INFINITY }: { size: number; steps: number; forMs?: number },
  step: (size: number) => Promise<number>,
): Promise<number> => {
  let done = 0
  const end = performance.now() + forMs
  for (let [count, last] = [0, size]; count < steps && last >= size && performance.now() < end; count++) {
    last = await step(size)
    done += last
  }
  return done
}
