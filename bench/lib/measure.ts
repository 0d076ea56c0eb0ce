/** Runs a load against some processes and says what one operation took: rate, CPU and latency. */
import { cpuOf } from './cpu.js'

export interface Figure {
  /** Operations per second. */
  rate: number
  /** CPU microseconds per operation, summed over every process of the path. */
  cpuUs: number
  /** Milliseconds. */
  p50: number
  p99: number
}

const percentile = (sorted: readonly number[], p: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] ?? 0

/** Repeats `one` with so many at once for `seconds`; `pids` are the processes of the path, the load generator not among them. */
export const repeat = async (options: {
  concurrency: number
  seconds: number
  pids: readonly number[]
  one(i: number): Promise<unknown>
  warmUp?: number
}): Promise<Figure> => {
  let i = 0
  for (let n = 0; n < (options.warmUp ?? 200); n += options.concurrency)
    await Promise.all(Array.from({ length: options.concurrency }, () => options.one(i++)))
  const latencies: number[] = []
  const cpu = cpuOf(options.pids)
  const started = performance.now()
  const end = started + options.seconds * 1_000
  await Promise.all(
    Array.from({ length: options.concurrency }, async () => {
      while (performance.now() < end) {
        const at = performance.now()
        await options.one(i++)
        latencies.push(performance.now() - at)
      }
    }),
  )
  const took = (performance.now() - started) / 1_000
  latencies.sort((a, b) => a - b)
  return {
    rate: latencies.length / took,
    cpuUs: (cpuOf(options.pids) - cpu) / latencies.length,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
  }
}

/** One piece of work of `operations` units, timed as a whole. */
export const once = async (options: {
  operations: number
  pids: readonly number[]
  work(): Promise<unknown>
}): Promise<Figure> => {
  const cpu = cpuOf(options.pids)
  const started = performance.now()
  await options.work()
  const ms = performance.now() - started
  return {
    rate: options.operations / (ms / 1_000),
    cpuUs: (cpuOf(options.pids) - cpu) / options.operations,
    p50: ms,
    p99: ms,
  }
}

/** The middle of several figures by rate, so that one slow phase of the machine does not decide. */
export const median = (figures: readonly Figure[]): Figure =>
  [...figures].sort((a, b) => a.cpuUs - b.cpuUs)[Math.floor(figures.length / 2)] as Figure

/** Alternates two measurements, so that both see the same machine. */
export const alternate = async (
  times: number,
  ours: () => Promise<Figure>,
  limit: () => Promise<Figure>,
): Promise<{ ours: Figure; limit: Figure }> => {
  const a: Figure[] = []
  const b: Figure[] = []
  for (let n = 0; n < times; n++) {
    b.push(await limit())
    a.push(await ours())
  }
  return { ours: median(a), limit: median(b) }
}
