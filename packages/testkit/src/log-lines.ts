/** Log lines of a service in a separate process. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Cluster } from './cluster.js'
import { repository } from './databases.js'
import { programFile, SOURCE_ARGS } from './source-args.js'

export interface LogLine extends Record<string, unknown> {
  level: string
  service: string
  message: string
  requestId?: string
}

/**
 * Runs one service of the cluster in a separate process, as `bin/serve` does. Runs `work`, then ends the process, and
 * returns all of its log lines. The services of the test are stopped before that, and are not started again until
 * `restart`.
 */
export const logLines = async (cluster: Cluster, service: string, work: () => Promise<unknown>): Promise<LogLine[]> => {
  await cluster.host.stop()
  const args = [...SOURCE_ARGS, programFile('serve'), service]
  const child = spawn(process.execPath, args, {
    cwd: repository(),
    env: { ...process.env, ...cluster.env, LOG_LEVEL: 'info', HEALTH_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = once(child, 'close')
  const lines: LogLine[] = []
  try {
    await new Promise<void>((resolve, reject) => {
      gone.then(() => reject(new Error(`${service} did not start`)))
      createInterface({ input: child.stdout }).on('line', (text) => {
        const line = JSON.parse(text) as LogLine
        lines.push(line)
        if (line.message === 'ready') resolve()
      })
    })
    await work()
  } finally {
    child.kill('SIGTERM')
    await gone
  }
  return lines
}
