/** Delay of the event loop of this process. Measured with high resolution only while the process is busy. */
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { everySecond } from './beat.js'

/** Interval in milliseconds of the measurement with high resolution, which wakes the process 50 times a second. */
const RESOLUTION_MS = 20
/** Fraction of busy time of the event loop from which on the measurement has high resolution. */
const BUSY = 0.1

export interface LoopLag {
  /** Delay in milliseconds, 99th percentile of the last second. */
  ms(): number
  stop(): void
}

/**
 * Measures once a second, and calls `report` with each value in milliseconds. While the process is idle, the value is
 * the lateness of this timer. So no further timer wakes an idle process.
 */
export const watchLoopLag = (report: (ms: number) => void = () => undefined): LoopLag => {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  let isFine = false
  let value = 0
  let before = performance.eventLoopUtilization()
  const end = everySecond((lateMs) => {
    value = isFine ? Math.max(0, delay.percentile(99) / 1e6 - RESOLUTION_MS) : lateMs
    report(value)
    const isBusy = performance.eventLoopUtilization(before).utilization >= BUSY
    before = performance.eventLoopUtilization()
    if (isBusy !== isFine) delay[isBusy ? 'enable' : 'disable']()
    if (isBusy) delay.reset()
    isFine = isBusy
  })
  return {
    ms: () => value,
    stop: () => {
      end()
      delay.disable()
    },
  }
}
