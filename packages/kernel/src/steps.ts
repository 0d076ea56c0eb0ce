/** Long work in steps small enough to disturb nobody. */

/**
 * Repeats a step until one does less than it could, one after the other, so that no lock is held for long.
 * @param most.size what a full step does
 * @param most.steps where the next run goes on
 * @param step gives how much it did
 * @returns how much was done in all
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
