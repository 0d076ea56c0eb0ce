/** Idle memory of everything that `npm start` runs, Node processes only. */
import { nodeMemoryOf } from '../lib/cpu.js'
import type { Scenario } from '../lib/scenario.js'

const MIB = 1_048_576

export const memory: Scenario = {
  name: 'memory',
  about: 'idle memory of the Node processes of npm start',
  limitIs: '–',
  target: { kind: 'memory', value: 600 },
  async run({ product }) {
    await new Promise((resolve) => setTimeout(resolve, 5_000))
    const processes = nodeMemoryOf([...product.processes.values()].map((one) => one.pid))
    // The supervisor of npm start is one more small Node process.
    const supervisor = 60
    const total = processes.reduce((sum, one) => sum + one.rss, 0) / MIB + supervisor
    const figure = { rate: total, cpuUs: 1, p50: 0, p99: 0 }
    return { ours: figure, limit: { ...figure, rate: 600 } }
  },
}
