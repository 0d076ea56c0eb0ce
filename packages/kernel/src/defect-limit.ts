/** Gives up jobs that fail repeatedly with an error that waiting does not repair (`defectTimes`). */
import { Failure, type RetryPolicy } from '@murmuration/contracts/kit'
import { createMemoryCache } from '@murmuration/flow'
import { PermanentError } from './messages.js'

/** Maximum number of failing jobs whose tries a process counts. */
const MAX_JOBS = 10_000

export type DefectLimit = <T>(id: string, run: () => Promise<T>) => Promise<T>

/**
 * Returns a function that runs a try of the job `id`. It throws a PermanentError after `defectTimes` tries in this process
 * with another error than a `Failure`. Tries are counted in memory, because the deliveries of a message also count waits.
 */
export const createDefectLimit = ({ defectTimes = Number.POSITIVE_INFINITY }: RetryPolicy): DefectLimit => {
  const counts = createMemoryCache<number>({ max: MAX_JOBS })
  return async (id, run) => {
    try {
      const result = await run()
      counts.delete(id)
      return result
    } catch (error) {
      if (error instanceof Failure || error instanceof PermanentError) throw error
      const count = (counts.get(id) ?? 0) + 1
      if (count < defectTimes) {
        counts.set(id, count)
        throw error
      }
      // A job that an operator restores has all its tries again.
      counts.delete(id)
      throw new PermanentError(error instanceof Error ? error.name : 'unknown', error)
    }
  }
}
