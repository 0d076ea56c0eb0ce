/** Splits long work into small steps that block no other work. */

/**
 * Repeats a step until one is not full, sequentially, so that no lock is held for long.
 * @param most.size amount of a full step
 * @param most.steps maximum number of steps; the next run continues
 * @param step returns the amount that it did
 * @returns the total amount
 */
export const inSteps = async (
  { size, steps }: { size: number; steps: number },
  step: (size: number) => Promise<number>,
): Promise<number> => {
  let done = 0
  for (let [count, last] = [0, size]; count < steps && last >= size; count++) {
    last = await step(size)
    done += last
  }
  return done
}
