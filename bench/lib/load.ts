/** Repeats an operation with a fixed concurrency, for a time or a number of operations. */

export interface Load {
  /** Number of completed operations. */
  count: number
  /** Milliseconds from the start to the end of the load. */
  ms: number
  /** Percentiles of the latency of one operation, in milliseconds. */
  p50: number
  p99: number
}

export interface LoadPlan {
  concurrency: number
  /** The load starts no operation after this time. */
  seconds?: number
  /** Number of operations. */
  count?: number
}

const percentile = (sorted: readonly number[], p: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] ?? 0

/** Result of operations that all started at the same time, from their latencies in milliseconds. */
export const loadOf = (latencies: readonly number[]): Load => {
  const sorted = latencies.toSorted((a, b) => a - b)
  return {
    count: sorted.length,
    ms: sorted.at(-1) ?? 0,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
  }
}

/** Runs a load. Calls `one` with 0, 1, 2 …, each number once. */
export const load = async (plan: LoadPlan, one: (i: number) => Promise<unknown>): Promise<Load> => {
  const latencies: number[] = []
  const started = performance.now()
  const end = plan.seconds === undefined ? Number.POSITIVE_INFINITY : started + plan.seconds * 1_000
  const max = plan.count ?? Number.POSITIVE_INFINITY
  let next = 0
  const worker = async () => {
    while (next < max && performance.now() < end) {
      const at = performance.now()
      await one(next++)
      latencies.push(performance.now() - at)
    }
  }
  await Promise.all(Array.from({ length: plan.concurrency }, worker))
  return { ...loadOf(latencies), ms: performance.now() - started }
}
