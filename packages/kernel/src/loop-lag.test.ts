/** The delay of the event loop is measured under load, without waking an idle process. */
import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { SOURCE_ARGS } from '@murmuration/testkit'
import { expect, test } from 'vitest'
import { watchLoopLag } from './loop-lag.js'

const block = (ms: number): void => {
  for (const end = performance.now() + ms; performance.now() < end; );
}

test('the delay of a busy loop is measured', async () => {
  const lag = watchLoopLag()
  try {
    for (const end = performance.now() + 3_500; performance.now() < end; await sleep(1)) block(80)
    expect(lag.ms()).toBeGreaterThan(40)
  } finally {
    lag.stop()
  }
})

test('an idle process is woken at most a few times a second', async () => {
  const [lag, metrics] = ['loop-lag.ts', 'metrics.ts'].map((file) => fileURLToPath(new URL(file, import.meta.url)))
  const count = `
    const { watchLoopLag } = await import(${JSON.stringify(lag)})
    const { startProcessMetrics, registry } = await import(${JSON.stringify(metrics)})
    watchLoopLag()
    startProcessMetrics()
    await registry.metrics()
    const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
    await sleep(3_000)
    const before = process.resourceUsage().voluntaryContextSwitches
    await sleep(4_000)
    console.log((process.resourceUsage().voluntaryContextSwitches - before) / 4)
    process.exit()`
  const { stdout } = await promisify(execFile)(process.execPath, [...SOURCE_ARGS, '--input-type=module', '-e', count])
  expect(Number(stdout)).toBeLessThan(25)
})
