/** Measures rate, CPU time and latency of operations, in rounds with those of their limit. */
import { cpuOf, type Pids } from './cpu.js'
import type { Load } from './load.js'

export interface Figure {
  /** Operations per second. */
  rate: number
  /** CPU microseconds per operation, summed over all measured processes. */
  cpuUs: number
  /** CPU microseconds per operation, by process. */
  parts: Record<string, number>
  /** Percentiles of the latency, in milliseconds. */
  p50: number
  p99: number
}

/** CPU time within this many milliseconds after the last response also counts, because processes still write then. */
const TAIL_MS = 150

/** Runs a load and measures the CPU time of these processes. The process that generates the load is not one of them. */
export const figureOf = async (pids: Pids, work: () => Promise<Load>): Promise<Figure> => {
  const before = cpuOf(pids)
  const { count, ms, p50, p99 } = await work()
  await new Promise((resolve) => setTimeout(resolve, TAIL_MS))
  const parts = Object.entries(cpuOf(pids)).map(([name, us]) => [name, (us - (before[name] ?? 0)) / count] as const)
  const cpuUs = parts.reduce((sum, [, us]) => sum + us, 0)
  return { rate: count / (ms / 1_000), cpuUs, parts: Object.fromEntries(parts), p50, p99 }
}

/** Times one call of `work`, which does `count` operations. All latencies are the total time. */
export const timed = async (count: number, work: () => Promise<unknown>): Promise<Load> => {
  const started = performance.now()
  await work()
  const ms = performance.now() - started
  return { count, ms, p50: ms, p99: ms }
}

const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Median of each value. A short slow phase of the machine does not change it. */
export const median = (figures: readonly Figure[]): Figure => ({
  rate: middle(figures.map((one) => one.rate)),
  cpuUs: middle(figures.map((one) => one.cpuUs)),
  parts: Object.fromEntries(
    Object.keys(figures[0]?.parts ?? {}).map((name) => [name, middle(figures.map((one) => one.parts[name] ?? 0))]),
  ),
  p50: middle(figures.map((one) => one.p50)),
  p99: middle(figures.map((one) => one.p99)),
})

/** Measures `limit` and `ours` in rounds, under the same load of the machine. Discards the first round of both and returns the medians. */
export const alternate = async (
  rounds: number,
  ours: () => Promise<Figure>,
  limit: () => Promise<Figure>,
): Promise<{ ours: Figure; limit: Figure }> => {
  await limit()
  await ours()
  const a: Figure[] = []
  const b: Figure[] = []
  for (let n = 0; n < rounds; n++) {
    b.push(await limit())
    a.push(await ours())
  }
  return { ours: median(a), limit: median(b) }
}
