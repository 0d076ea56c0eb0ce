/** What one operation takes: rate, CPU of every process of the path, and latency; measured in turns with its limit. */
import { cpuOf } from './cpu.js'
import type { Load } from './load.js'

export interface Figure {
  /** Operations per second. */
  rate: number
  /** CPU microseconds per operation, summed over every process of the path. */
  cpuUs: number
  /** Milliseconds. */
  p50: number
  p99: number
}

/** What is still written down after the last answer belongs to the work. */
const TAIL_MS = 150

/** Measures a load on these processes; whoever makes the load is not among them. */
export const figureOf = async (pids: readonly number[], work: () => Promise<Load>): Promise<Figure> => {
  const before = cpuOf(pids)
  const { count, ms, p50, p99 } = await work()
  await new Promise((resolve) => setTimeout(resolve, TAIL_MS))
  return { rate: count / (ms / 1_000), cpuUs: (cpuOf(pids) - before) / count, p50, p99 }
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
