/** A load: the same operation again and again, so many at once, for a time or a number of them. */

export interface Load {
  /** Operations that were done. */
  count: number
  /** Milliseconds that all of them took. */
  ms: number
  /** Milliseconds that one of them took. */
  p50: number
  p99: number
}

export interface LoadPlan {
  concurrency: number
  /** Ends after this time … */
  seconds?: number
  /** … or after so many operations. */
  count?: number
}

const percentile = (sorted: readonly number[], p: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] ?? 0

/** What came of operations that all began together, from how many milliseconds each of them took. */
export const loadOf = (latencies: readonly number[]): Load => {
  const sorted = latencies.toSorted((a, b) => a - b)
  return {
    count: sorted.length,
    ms: sorted.at(-1) ?? 0,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
  }
}

/** Runs it; `one` gets a number that it has not had before in this load. */
export const load = async (plan: LoadPlan, one: (i: number) => Promise<unknown>): Promise<Load> => {
  const latencies: number[] = []
  const started = performance.now()
  const end = plan.seconds === undefined ? Number.POSITIVE_INFINITY : started + plan.seconds * 1_000
  const most = plan.count ?? Number.POSITIVE_INFINITY
  let next = 0
  const lane = async () => {
    while (next < most && performance.now() < end) {
      const at = performance.now()
      await one(next++)
      latencies.push(performance.now() - at)
    }
  }
  await Promise.all(Array.from({ length: plan.concurrency }, lane))
  return { ...loadOf(latencies), ms: performance.now() - started }
}
