/** Starts the programs in bench/limits, and lets them generate their load. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { SOURCE_ARGS } from '@murmuration/testkit'
import type { Load, LoadPlan } from './load.js'

export interface Limit {
  readonly pid: number
  /** Generates this load in the process of the limit. */
  run(plan: LoadPlan): Promise<Load>
  /** Sends a message to the process. */
  send(message: string): void
  /** Sends a message, and resolves with the next message of the process. */
  request(message: string): Promise<unknown>
  stop(): Promise<void>
}

/** Next message of the process. Rejects if the process ends before. */
const nextMessage = (child: ChildProcess, file: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`${file} ended with ${code}`))
    child.once('exit', ended)
    child.once('message', (message) => {
      child.off('exit', ended)
      resolve(message)
    })
  })

/** Starts a file of bench/limits. Resolves when the process sends its first message, `ready`. */
export const startLimit = async (file: string, ...args: string[]): Promise<Limit> => {
  const child = fork(fileURLToPath(new URL(`../limits/${file}`, import.meta.url)), args, {
    execArgv: [...SOURCE_ARGS],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  await nextMessage(child, file)
  return {
    pid: child.pid ?? 0,
    async run(plan) {
      const response = nextMessage(child, file)
      child.send(plan)
      return (await response) as Load
    },
    send: (message) => void child.send(message),
    request(message) {
      const response = nextMessage(child, file)
      child.send(message)
      return response
    },
    async stop() {
      if (child.exitCode !== null) return
      const gone = once(child, 'exit')
      child.kill()
      await gone
    },
  }
}
