/** Measures the idle memory of all Node processes of `npm start`. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, repository } from '@murmuration/testkit'
import { nodeMemoryOf } from '../lib/cpu.js'
import type { Scenario } from '../lib/scenario.js'

const MIB = 1_048_576
const IDLE_MS = 20_000
const START_MS = 120_000

/** Runs `npm start` with an empty data folder and its own stores. Resolves when the server accepts requests. */
const startFresh = async (dataDir: string) => {
  const { DATABASE_URL: _pg, REDIS_URL: _redis, NATS_URL: _nats, NATS_MONITOR_URL: _monitor, ...env } = process.env
  const port = String(await freePort())
  const child = spawn(process.execPath, [join(repository(), 'bin/start.mjs')], {
    env: { ...env, DATA_DIR: dataDir, PORT: port },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  await new Promise<void>((resolve, reject) => {
    const failed = (why: string) => () => reject(new Error(`npm start ${why}: ${output.slice(-2_000)}`))
    const timer = setTimeout(failed('takes too long'), START_MS)
    const listen = (chunk: unknown) => {
      output += String(chunk)
      if (!output.includes('Press Ctrl-C to stop')) return
      clearTimeout(timer)
      resolve()
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    child.once('exit', failed('ended'))
  })
  return child
}

export const memory: Scenario = {
  name: 'memory',
  about: 'idle memory of the Node processes of npm start, including the supervisor',
  limitIs: 'none',
  target: { kind: 'memory', value: 600 },
  async run() {
    const dataDir = join(repository(), '.data/bench/start')
    rmSync(dataDir, { recursive: true, force: true })
    const child = await startFresh(dataDir)
    try {
      await new Promise((resolve) => setTimeout(resolve, IDLE_MS))
      const processes = nodeMemoryOf([child.pid ?? 0])
      for (const { what, rss, pss } of processes)
        process.stdout.write(
          `  ${(rss / MIB).toFixed(0)} MiB (${(pss / MIB).toFixed(0)} with shared pages divided)  ${what}\n`,
        )
      const total = processes.reduce((sum, one) => sum + one.rss, 0) / MIB
      const figure = { rate: total, cpuUs: 0, parts: {}, p50: 0, p99: 0 }
      return { ours: figure, limit: { ...figure, rate: 600 } }
    } finally {
      const gone = once(child, 'exit')
      child.kill('SIGINT')
      await gone
    }
  },
}
