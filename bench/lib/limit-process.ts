/** Starts the small programs that stand for a physical limit, and has them make their load. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { SOURCE_ARGS } from '@murmuration/testkit'
import type { Load, LoadPlan } from './load.js'

export interface Limit {
  readonly pid: number
  /** Has it make its load in its own process. */
  run(plan: LoadPlan): Promise<Load>
  /** Sends it anything else … */
  send(message: string): void
  /** … and waits for its next word. */
  ask(message: string): Promise<unknown>
  stop(): Promise<void>
}

const said = (child: ChildProcess, file: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`${file} ended with ${code}`))
    child.once('exit', ended)
    child.once('message', (message) => {
      child.off('exit', ended)
      resolve(message)
    })
  })

/** Starts a file of bench/limits; resolves when it says that it is ready. */
export const startLimit = async (file: string, ...args: string[]): Promise<Limit> => {
  const child = fork(fileURLToPath(new URL(`../limits/${file}`, import.meta.url)), args, {
    execArgv: [...SOURCE_ARGS],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  await said(child, file)
  return {
    pid: child.pid ?? 0,
    async run(plan) {
      const answer = said(child, file)
      child.send(plan)
      return (await answer) as Load
    },
    send: (message) => void child.send(message),
    ask(message) {
      const answer = said(child, file)
      child.send(message)
      return answer
    },
    async stop() {
      if (child.exitCode !== null) return
      const gone = once(child, 'exit')
      child.kill()
      await gone
    },
  }
}
