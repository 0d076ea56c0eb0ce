/** Starts the small programs that stand for a physical limit. */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const startLimit = async (file: string, ...args: string[]): Promise<ChildProcess & { pid: number }> => {
  const child = fork(fileURLToPath(new URL(`../limits/${file}`, import.meta.url)), args, {
    execArgv: ['--conditions=source', '--import', 'tsx'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve())
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)))
  })
  return child as ChildProcess & { pid: number }
}
