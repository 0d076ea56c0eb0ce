/** What one operation takes: rate, CPU of every process of the path, and latency; measured in turns with its limit. */
import { cpuOf, type Pids } from './cpu.js'
import type { Load } from './load.js'

export interface Figure {
  /** Operations per second. */
  rate: number
  /** CPU microseconds per operation, summed over every process of the path. */
  cpuUs: number
  /** The same by process. */
  parts: Record<string, number>
  /** Milliseconds. */
  p50: number
  p99: number
}

/** What is still written down after the last answer belongs to the work. */
const TAIL_MS = 150

/** Measures a load on these processes; whoever makes the load is not among them. */
export const figureOf = async (pids: Pids, work: () => Promise<Load>): Promise<Figure> => {
  const before = cpuOf(pids)
  const { count, ms, p50, p99 } = await work()
  await new Promise((resolve) => setTimeout(resolve, TAIL_MS))
  const parts = Object.entries(cpuOf(pids)).map(([name, us]) => [name, (us - (before[name] ?? 0)) / count] as const)
  const cpuUs = parts.reduce((sum, [, us]) => sum + us, 0)
  return { rate: count / (ms / 1_000), cpuUs, parts: Object.fromEntries(parts), p50, p99 }
}

/** One piece of work of `count` units, timed as a whole. */
export const timed = async (count: number, work: () => Promise<unknown>): Promise<Load> => {
  const started = performance.now()
  await work()
  const ms = performance.now() - started
  return { count, ms, p50: ms, p99: ms }
}

const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** The middle of each figure, so that one slow phase of the machine does not decide. */
export const median = (figures: readonly Figure[]): Figure => ({
  rate: middle(figures.map((one) => one.rate)),
  cpuUs: middle(figures.map((one) => one.cpuUs)),
  parts: Object.fromEntries(
    Object.keys(figures[0]?.parts ?? {}).map((name) => [name, middle(figures.map((one) => one.parts[name] ?? 0))]),
  ),
  p50: middle(figures.map((one) => one.p50)),
  p99: middle(figures.map((one) => one.p99)),
})

/** Measures limit and ours in turns, so that both see the same machine; the first turn of both only warms up. */
export const alternate = async (
  turns: number,
  ours: () => Promise<Figure>,
  limit: () => Promise<Figure>,
): Promise<{ ours: Figure; limit: Figure }> => {
  await limit()
  await ours()
  const a: Figure[] = []
  const b: Figure[] = []
  for (let n = 0; n < turns; n++) {
    b.push(await limit())
    a.push(await ours())
  }
  return { ours: median(a), limit: median(b) }
}
