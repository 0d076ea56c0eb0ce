/** Delay of the event loop of this process, measured finely only while the process has work. */
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'

/** The fine measurement wakes the process this often, 50 times a second. */
const RESOLUTION_MS = 20
const SAMPLE_MS = 1_000
/** Part of its time that the loop works, from which on it is measured finely. */
const BUSY = 0.1

export interface LoopLag {
  /** Milliseconds, 99th percentile of the last second. */
  ms(): number
  stop(): void
}

/**
 * Samples once a second, and calls `report` with each value in milliseconds. An idle process is woken by nothing else: its
 * value is how late the sample itself is, until the loop has been busy for a second.
 */
export const watchLoopLag = (report: (ms: number) => void = () => undefined): LoopLag => {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  let isFine = false
  let value = 0
  let before = performance.eventLoopUtilization()
  let due = performance.now() + SAMPLE_MS
  const sample = setInterval(() => {
    const now = performance.now()
    value = Math.max(0, isFine ? delay.percentile(99) / 1e6 - RESOLUTION_MS : now - due)
    report(value)
    due = now + SAMPLE_MS
    const isBusy = performance.eventLoopUtilization(before).utilization >= BUSY
    before = performance.eventLoopUtilization()
    if (isBusy !== isFine) delay[isBusy ? 'enable' : 'disable']()
    if (isBusy) delay.reset()
    isFine = isBusy
  }, SAMPLE_MS)
  sample.unref()
  return {
    ms: () => value,
    stop: () => {
      clearInterval(sample)
      delay.disable()
    },
  }
}
